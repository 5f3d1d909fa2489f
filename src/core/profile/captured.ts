import { parseInstant, secondMs, toTimestamp } from "../time.ts";
import type { CallTree } from "./call-tree.ts";
import { fewSamples } from "./comparability.ts";
import type { ProfileDocument } from "./document.ts";
import { leastListedPct, stacksCut, type SummaryBody } from "./profile.ts";

/** A time of a document as every answer writes it. */
export function capturedTime(text: string | null): string | null {
  const instant = text === null ? null : parseInstant(text);
  return instant === null ? null : toTimestamp(instant);
}

/** When a capture began and ended, and how long it took: by the two where its length was not sent. */
export function capturedWindow({ capture }: ProfileDocument): SummaryBody["window"] {
  const [start, end] = [capturedTime(capture.window_start), capturedTime(capture.window_end)];
  return { start, end, seconds: capture.window_seconds ?? secondsBetween(start, end) };
}

/** Null where one is not known, and where the end comes first. */
function secondsBetween(start: string | null, end: string | null): number | null {
  if (start === null || end === null) return null;
  const ms = Date.parse(end) - Date.parse(start);
  return ms < 0 ? null : ms / secondMs;
}

/** What the shares are of; the sender's word, null or 0, where the tree holds nothing. */
export const tickSamples = ({ ticks }: CallTree, { samples }: ProfileDocument): number | null =>
  ticks > 0 ? ticks : samples.tick;

/** Samples of all threads, those of ticks among them. */
export const totalSamples = (tree: CallTree, document: ProfileDocument): number | null =>
  document.samples.total === null ? null : Math.max(document.samples.total, tickSamples(tree, document) ?? 0);

export const hasFewSamples = ({ ticks }: CallTree): boolean => ticks < fewSamples;

/** Tick samples that may be anybody's: those missing from the tree, and those that end in a cut stack. */
const lostSamples = ({ held, cut, ticks }: CallTree): number => ticks - held + cut;

/** Whether so many are lost that an owner who is not listed may have had what a list should have. */
export const hasLost = (tree: CallTree): boolean => lostSamples(tree) * 100 >= leastListedPct * tree.ticks;

/**
 * The sender's warnings, but `few-samples` by our own count, and first: then every percentage is rough. Where cut
 * stacks left too many samples without an owner, `stacks-cut` is stated, by the sender or else by us.
 */
export function warningsOf(tree: CallTree, document: ProfileDocument): ProfileDocument["warnings"] {
  const others = document.warnings.filter(({ code }) => code !== "few-samples");
  const isGiven = others.some(({ code }) => code === stacksCut);
  const few = { code: "few-samples", params: { tick_samples: tickSamples(tree, document) } };
  const cut = { code: stacksCut, params: { tick_samples: tree.cut } };
  return [
    ...(hasFewSamples(tree) ? [few] : []),
    ...others,
    ...(tree.cut > 0 && hasLost(tree) && !isGiven ? [cut] : []),
  ];
}
