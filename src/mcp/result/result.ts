import type { Answered, ErrorBody, Refused, ToldWindows } from "../../contract/call/backend.ts";
import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import type { Block } from "./block.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import { fitted } from "./shrink-to-limit.ts";
import { cellsAtMost, pointsByDefault, rowsAtMost } from "./result-limits.ts";
import { namedBy } from "./id-sources.ts";
import { lowWindow, quotaKey, quotaOf } from "./quota.ts";
import { WrittenJson } from "../protocol/message-text.ts";
import { hasRows, isPage, type View } from "./view.ts";
import { toWire } from "./wire.ts";
import type { Wording } from "./wording.ts";

export interface ToolResult {
  readonly content: readonly [{ readonly type: "text"; readonly text: string }, ...(readonly Block[])];
  readonly structuredContent?: WrittenJson;
  readonly isError?: true;
  readonly _meta: Record<string, unknown>;
}

/**
 * The endpoint's input for the arguments a model sent: as they are, but for the rows or points asked for. A number
 * the endpoint would refuse stays, so that it is refused in the endpoint's own words.
 */
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
  const asked = args[name];
  if (asked === undefined) return { ...args, [name]: usual };
  return isCapped(asked, atMost, largest) ? { ...args, [name]: atMost } : args;
}

const isCapped = (asked: unknown, atMost: number, largest: number): boolean =>
  typeof asked === "number" && Number.isInteger(asked) && asked > atMost && asked <= largest;

/** What is known of an answer beside it. */
export interface Said {
  /** Of a refusal: where ids come from that would do. */
  readonly idsFrom?: readonly string[];
  /** Why the account's plan leaves it empty: then there is no other reason to tell. */
  readonly plan: readonly string[];
  readonly more: readonly string[];
  /** Where a person sees the same. */
  readonly urls: readonly string[];
}

export const nothingSaid: Said = { plan: [], more: [], urls: [] };

/** An answer as a tool gives it, with what the tool has `said` of it: text and structured content are the same JSON. */
export function toolResult(
  view: View<Outline>,
  args: Record<string, unknown>,
  answer: Answered | Refused,
  wording: Wording,
  said: Said = nothingSaid,
): ToolResult {
  const meta = { [quotaKey]: quotaOf(view.endpoint, answer) };
  if (!answer.ok) {
    return {
      content: [{ type: "text", text: toWire(errorOf(view, answer, wording, said.idsFrom)) }],
      isError: true,
      _meta: meta,
    };
  }
  const text = shown(view, args, answer, wording, said);
  return { content: [{ type: "text", text }], structuredContent: new WrittenJson(text), _meta: meta };
}

/** What a model reads of an answer, no longer than a result may be. */
export const shown = (
  view: View<Outline>,
  args: Record<string, unknown>,
  answer: Answered,
  wording: Wording,
  said: Said = nothingSaid,
): string =>
  fitted(
    view,
    answer.value,
    {
      notes: [...notesOn(view, args, answer, wording, said.plan.length > 0), ...said.plan, ...said.more],
      urls: said.urls,
    },
    wording,
  );

/** An error as every face tells it, with what the tables know to help. */
export function errorOf(
  view: View<Outline>,
  refused: Refused,
  { notes }: Wording,
  idsFrom: readonly string[] = [],
): ErrorBody {
  const { body, windows, credential, status } = refused;
  const said: string[] = [];
  if (credential && status === 401)
    said.push(body.error === "unauthorized" ? notes.tokenMissing : notes.tokenRefused);
  if (idsFrom.length > 0) said.push(notes.idsComeFrom(idsFrom));
  if (body.error === "not_found") said.push(...namedBy(view.whenMissing, view, refused));
  if (body.error !== "daily_quota_exceeded") said.push(...quotaNotes(windows, notes));
  return said.length === 0 ? body : { ...body, connector_notes: said };
}

/** How many of the day's calls are left, where they are few. */
function quotaNotes(windows: ToldWindows | null, { callsLeft }: Wording["notes"]): string[] {
  const low = lowWindow(windows);
  if (low === null) return [];
  return [callsLeft(low.remaining, low.limit, new Date(low.resetAt).toISOString().slice(11, 16))];
}

function notesOn(
  view: View<Outline>,
  args: Record<string, unknown>,
  { value, windows }: Answered,
  { notes }: Wording,
  isByPlan: boolean,
): string[] {
  const said = quotaNotes(windows, notes);
  if (view.points !== null) said.push(...seriesNotes(value, notes));
  said.push(...noneOf(view, value));
  if (!hasRows(value)) return said;
  const { largestLimit } = view;
  if (
    isPage(value) &&
    largestLimit !== null &&
    isCapped(args["limit"], rowsAtMost, largestLimit) &&
    value.page.has_more
  )
    said.push(notes.rowsCapped);
  if (value.data.length > 0 || isByPlan) return said;
  const reason = emptyReason(view, args, notes);
  if (reason !== undefined) said.push(reason);
  return said;
}

/** Why a list came back empty, as far as the question itself tells. */
function emptyReason(
  { filters, exact, whenEmpty, whenWidened = {}, examples = {} }: View<Outline>,
  args: Record<string, unknown>,
  notes: Wording["notes"],
): string | undefined {
  if (args["cursor"] !== undefined) return notes.cursorAtEnd;
  const isSent = (name: string): boolean => args[name] !== undefined;
  if (!filters.some(isSent)) {
    const widened = Object.entries(whenWidened).find(([name]) => args[name] === true);
    return widened?.[1] ?? whenEmpty;
  }
  const sent = exact.filter(isSent);
  const known = sent.flatMap((name) => examples[name] ?? []);
  return notes.filteredEmpty(sent, known);
}

/** What lists inside an answer mean where they are empty. */
const noneOf = ({ whenNone = {} }: View<Outline>, value: unknown): string[] =>
  isJsonObject(value)
    ? Object.entries(whenNone).flatMap(([name, words]) => {
        const list = value[name];
        return Array.isArray(list) && list.length === 0 ? [words] : [];
      })
    : [];

/** Which fields of a series hold no value. Their names are those of the documentation. */
function seriesNotes(value: unknown, notes: Wording["notes"]): string[] {
  const summary = isJsonObject(value) && isJsonObject(value["summary"]) ? value["summary"] : {};
  const fields = Object.entries(summary);
  const empty = fields.flatMap(([name, told]) => (isJsonObject(told) && told["count"] === 0 ? [name] : []));
  if (empty.length === 0) return [];
  return [empty.length === fields.length ? notes.nothingMeasured : notes.neverMeasured(empty)];
}
