import { parseInstant, secondMs, toTimestamp } from "../time.ts";
import type { CallTree } from "./call-tree.ts";
import { fewSamples } from "./comparability.ts";
import type { ProfileDocument } from "./document.ts";
import { leastListedPct, stacksCut, type SummaryBody } from "./profile.ts";

export function capturedTime(text: string | null): string | null {
  const instant = text === null ? null : parseInstant(text);
  return instant === null ? null : toTimestamp(instant);
}

/** The length is that from start to end if none was sent. */
export function capturedWindow({ capture }: ProfileDocument): SummaryBody["window"] {
  const [start, end] = [capturedTime(capture.window_start), capturedTime(capture.window_end)];
  return { start, end, seconds: capture.window_seconds ?? secondsBetween(start, end) };
}

/** Null if a time is unknown, or the end comes first. */
function secondsBetween(start: string | null, end: string | null): number | null {
  if (start === null || end === null) return null;
  const ms = Date.parse(end) - Date.parse(start);
  return ms < 0 ? null : ms / secondMs;
}

/** The samples that shares refer to; without any, the sender's count: null or 0. */
export const tickSamples = ({ ticks }: CallTree, { samples }: ProfileDocument): number | null =>
  ticks > 0 ? ticks : samples.tick;

/** Samples of all threads, ticks included. */
export const totalSamples = (tree: CallTree, document: ProfileDocument): number | null =>
  document.samples.total === null ? null : Math.max(document.samples.total, tickSamples(tree, document) ?? 0);

export const hasFewSamples = ({ ticks }: CallTree): boolean => ticks < fewSamples;

/** Tick samples without a known owner: missing from the tree, or ended in a cut stack. */
const lostSamples = ({ held, cut, ticks }: CallTree): number => ticks - held + cut;

/** Whether so many samples are lost that an unlisted owner may belong in the list. */
export const hasLost = (tree: CallTree): boolean => lostSamples(tree) * 100 >= leastListedPct * tree.ticks;

/**
 * `few-samples` follows our own count, and comes first because every percentage is then rough. `stacks-cut`
 * is added if cut stacks lost too many samples and the sender does not warn of it.
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
