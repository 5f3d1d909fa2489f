import type { Answered, ErrorBody, Refused, RateWindowViews } from "../../contract/call/backend.ts";
import { emptyReason } from "../../core/empty-list.ts";
import { dayMs, parseInstant, toTimestamp, type Instant } from "../../core/time.ts";
import { shownDuration } from "../../core/text/plain-words.ts";
import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import type { Block } from "./block.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import { shrunkToLimit } from "./shrink-to-limit.ts";
import { cellsAtMost, pointsByDefault, rowsAtMost } from "./result-limits.ts";
import { namedBy } from "./id-sources.ts";
import { lowWindow, quotaKey, quotaOf } from "./quota.ts";
import { WrittenJson } from "../protocol/message-text.ts";
import { hasRows, isPage, type View } from "./view.ts";
import { toWire } from "./wire.ts";
import type { NearServer, Wording } from "./wording.ts";

export interface ToolResult {
  readonly content: readonly [{ readonly type: "text"; readonly text: string }, ...(readonly Block[])];
  readonly structuredContent?: WrittenJson;
  readonly isError?: true;
  readonly _meta: Record<string, unknown>;
}

/** A number that the endpoint would refuse stays, so that the endpoint refuses it in its own words. */
export function inputOf(view: View<Outline>, args: Record<string, unknown>): Record<string, unknown> {
  const { largestLimit, points, usualRows } = view;
  if (points !== null) {
    const shown = Array.isArray(args["fields"]) ? new Set(args["fields"]).size : points.usualFields;
    const atMost = Math.floor(cellsAtMost / Math.max(1, shown));
    return withNumber(args, "max_points", pointsByDefault, atMost, points.largest);
  }
  return largestLimit === null ? args : withNumber(args, "limit", usualRows, rowsAtMost, largestLimit);
}

function withNumber(
  args: Record<string, unknown>,
  name: string,
  usual: number,
  atMost: number,
  largest: number,
): Record<string, unknown> {
  const requested = args[name];
  if (requested === undefined) return { ...args, [name]: usual };
  return isCapped(requested, atMost, largest) ? { ...args, [name]: atMost } : args;
}

const isCapped = (requested: unknown, atMost: number, largest: number): boolean =>
  typeof requested === "number" && Number.isInteger(requested) && requested > atMost && requested <= largest;

export interface ResultNotes {
  /** Of a refusal: tools that list valid ids. */
  readonly idsFrom?: readonly string[];
  /** Of a refusal: servers that may be meant. */
  readonly near?: readonly NearServer[];
  /** Why the account's plan leaves the list empty; no other reason is given then. */
  readonly plan: readonly string[];
  readonly more: readonly string[];
  /** Where a person sees the same data. */
  readonly urls: readonly string[];
  /** The service's time; null where nothing depends on it. */
  readonly now: Instant | null;
}

export const nothingSaid: ResultNotes = { plan: [], more: [], urls: [], now: null };

/** Text and structured content are the same JSON. */
export function toolResult(
  view: View<Outline>,
  args: Record<string, unknown>,
  answer: Answered | Refused,
  wording: Wording,
  notes: ResultNotes = nothingSaid,
): ToolResult {
  const meta = { [quotaKey]: quotaOf(view.endpoint, answer) };
  if (!answer.ok) {
    return {
      content: [{ type: "text", text: toWire(errorOf(view, answer, wording, notes)) }],
      isError: true,
      _meta: meta,
    };
  }
  const text = shown(view, args, answer, wording, notes);
  return { content: [{ type: "text", text }], structuredContent: new WrittenJson(text), _meta: meta };
}

/** The text that a model reads, no longer than a result may be. */
export const shown = (
  view: View<Outline>,
  args: Record<string, unknown>,
  answer: Answered,
  wording: Wording,
  notes: ResultNotes = nothingSaid,
): string =>
  shrunkToLimit(
    view,
    answer.value,
    {
      notes: [...notesOn(view, args, answer, wording, notes), ...notes.plan, ...notes.more],
      urls: notes.urls,
    },
    wording,
  );

/** REST's error with the connector's notes on it. */
export function errorOf(
  view: View<Outline>,
  refused: Refused,
  { notes }: Wording,
  { idsFrom = [], near = [], now }: Pick<ResultNotes, "idsFrom" | "near" | "now">,
): ErrorBody {
  const { body, windows, credential, status } = refused;
  const sentences: string[] = [];
  if (credential && status === 401)
    sentences.push(body.error === "unauthorized" ? notes.tokenMissing : notes.tokenRefused);
  if (near.length > 0) sentences.push(notes.serversNear(near));
  if (idsFrom.length > 0) sentences.push(notes.idsComeFrom(idsFrom));
  if (body.error === "not_found") sentences.push(...namedBy(view.whenMissing, view, refused));
  if (body.error !== "daily_quota_exceeded") sentences.push(...quotaNotes(windows, notes, now));
  return sentences.length === 0 ? body : { ...body, connector_notes: sentences };
}

function quotaNotes(
  windows: RateWindowViews | null,
  { callsLeft }: Wording["notes"],
  now: Instant | null,
): string[] {
  const low = lowWindow(windows);
  if (low === null) return [];
  const wait = now === null ? null : shownDuration(low.resetAt - now);
  return [callsLeft(low.remaining, low.limit, toTimestamp(low.resetAt), wait)];
}

function notesOn(
  view: View<Outline>,
  args: Record<string, unknown>,
  { value, windows }: Answered,
  { notes }: Wording,
  { plan, now }: ResultNotes,
): string[] {
  const quotaSentences = quotaNotes(windows, notes, now);
  if (view.points !== null) quotaSentences.push(...seriesNotes(value, notes));
  quotaSentences.push(...noneOf(view, value));
  if (!hasRows(value)) return quotaSentences;
  const { largestLimit } = view;
  if (
    isPage(value) &&
    largestLimit !== null &&
    isCapped(args["limit"], rowsAtMost, largestLimit) &&
    value.page.has_more
  )
    quotaSentences.push(notes.rowsCapped);
  if (value.data.length > 0 || plan.length > 0) return quotaSentences;
  const reason = emptySentence(view, args, notes, now);
  if (reason !== undefined) quotaSentences.push(reason);
  return quotaSentences;
}

function emptySentence(
  view: View<Outline>,
  args: Record<string, unknown>,
  notes: Wording["notes"],
  now: Instant | null,
): string | undefined {
  const { filters, times, exact, keptDays, whenEmpty, whenWidened = {}, examples = {} } = view;
  const isSent = (name: string): boolean => args[name] !== undefined;
  const others = filters.filter((name) => isSent(name) && !times.includes(name));
  const keptFrom = keptDays === undefined || now === null ? null : now - keptDays * dayMs;
  const isContinued = args["cursor"] !== undefined;
  switch (emptyReason({ isContinued, isFiltered: others.length > 0, ...sentTime(args, now), keptFrom })) {
    case "end":
      return notes.cursorAtEnd;
    case "not_kept":
      return notes.notKept(keptDays ?? 0, toTimestamp(keptFrom ?? 0).slice(0, 10));
    case "filtered": {
      const sent = exact.filter(isSent);
      return notes.filteredEmpty(
        sent,
        sent.flatMap((name) => examples[name] ?? []),
      );
    }
    case "nothing": {
      const window = times.filter(isSent);
      if (window.length > 0) return view.keptByPlan ? notes.nothingLeft(window) : notes.nothingThen(window);
      const widened = Object.entries(whenWidened).find(([name]) => args[name] === true);
      return widened?.[1] ?? whenEmpty;
    }
  }
}

/** The time that arguments choose: `since` or `from`, `until` or `to`, or so many `days` up to now. */
function sentTime(
  args: Record<string, unknown>,
  now: Instant | null,
): { readonly from: Instant | null; readonly to: Instant | null } {
  const instant = (...names: string[]): Instant | null => {
    const sent = names.map((name) => args[name]).find((value) => typeof value === "string");
    return typeof sent === "string" ? parseInstant(sent) : null;
  };
  const { days } = args;
  const from = typeof days === "number" && now !== null ? now - days * dayMs : instant("since", "from");
  return { from, to: instant("until", "to") };
}

/** Notes on empty lists inside an answer. */
const noneOf = ({ whenNone = {} }: View<Outline>, value: unknown): string[] =>
  isJsonObject(value)
    ? Object.entries(whenNone).flatMap(([name, words]) => {
        const list = value[name];
        return Array.isArray(list) && list.length === 0 ? [words] : [];
      })
    : [];

/** Names the fields of a series that have no value; these names are documented ones. */
function seriesNotes(value: unknown, notes: Wording["notes"]): string[] {
  const summary = isJsonObject(value) && isJsonObject(value["summary"]) ? value["summary"] : {};
  const fields = Object.entries(summary);
  const empty = fields.flatMap(([name, series]) =>
    isJsonObject(series) && series["count"] === 0 ? [name] : [],
  );
  if (empty.length === 0) return [];
  return [empty.length === fields.length ? notes.nothingMeasured : notes.neverMeasured(empty)];
}
