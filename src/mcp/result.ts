import type { Answered, Refused } from "../contract/backend.ts";
import { fitted } from "./fit.ts";
import { rowsAtMost, rowsByDefault } from "./lean-schema.ts";
import { quotaKey, quotaOf, runsLow } from "./quota.ts";
import { WrittenJson } from "./message-text.ts";
import { isPage, type View } from "./view.ts";
import { toWire } from "./wire.ts";
import type { Wording } from "./wording.ts";

export interface ToolResult {
  readonly content: readonly [{ readonly type: "text"; readonly text: string }];
  readonly structuredContent?: WrittenJson;
  readonly isError?: true;
  readonly _meta: Record<string, unknown>;
}

/**
 * The endpoint's input for the arguments a model sent: as they are, but for the rows asked for. A `limit` the
 * endpoint would refuse stays, so that it is refused in the endpoint's own words.
 */
export function inputOf({ largestLimit }: View, args: Record<string, unknown>): Record<string, unknown> {
  if (largestLimit === null) return args;
  const { limit } = args;
  if (limit === undefined) return { ...args, limit: rowsByDefault };
  return isCapped(limit, largestLimit) ? { ...args, limit: rowsAtMost } : args;
}

const isCapped = (limit: unknown, largest: number): boolean =>
  typeof limit === "number" && Number.isInteger(limit) && limit > rowsAtMost && limit <= largest;

/** An answer as a tool gives it: text and structured content are the same JSON. */
export function toolResult(
  view: View,
  args: Record<string, unknown>,
  answer: Answered | Refused,
  wording: Wording,
): ToolResult {
  const meta = { [quotaKey]: quotaOf(view.endpoint, answer) };
  if (!answer.ok) {
    return {
      content: [{ type: "text", text: toWire(errorOf(view, answer, wording)) }],
      isError: true,
      _meta: meta,
    };
  }
  const text = shown(view, args, answer, wording);
  return { content: [{ type: "text", text }], structuredContent: new WrittenJson(text), _meta: meta };
}

/** What a model reads of an answer, no longer than a result may be. */
export const shown = (
  view: View,
  args: Record<string, unknown>,
  answer: Answered,
  wording: Wording,
): string => fitted(view, answer.value, notesOn(view, args, answer, wording), wording);

/** An error as every face tells it, with what the tables know to help. */
export function errorOf(
  { lists }: View,
  { body, windows }: Refused,
  { notes }: Wording,
): Record<string, unknown> {
  const said: string[] = [];
  if (body.error === "not_found" && lists) said.push(notes.idsComeFrom(lists));
  if (body.error !== "daily_quota_exceeded" && runsLow(windows)) said.push(notes.callsRunningLow);
  return said.length === 0 ? body : { ...body, connector_notes: said };
}

function notesOn(
  view: View,
  args: Record<string, unknown>,
  { value, windows }: Answered,
  { notes }: Wording,
): string[] {
  const said: string[] = [];
  if (runsLow(windows)) said.push(notes.callsRunningLow);
  if (!view.isList || !isPage(value)) return said;
  const { largestLimit } = view;
  if (largestLimit !== null && isCapped(args["limit"], largestLimit) && value.page.has_more)
    said.push(notes.rowsCapped);
  if (value.data.length > 0) return said;
  const reason = emptyReason(view, args, notes);
  if (reason !== undefined) said.push(reason);
  return said;
}

/** Why a list came back empty, as far as the question itself tells. */
function emptyReason(
  { filters, whenEmpty }: View,
  args: Record<string, unknown>,
  notes: Wording["notes"],
): string | undefined {
  if (args["cursor"] !== undefined) return notes.cursorAtEnd;
  return filters.some((name) => args[name] !== undefined) ? notes.filteredEmpty : whenEmpty;
}
