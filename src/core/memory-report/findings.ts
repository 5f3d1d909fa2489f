import type { HeapAnalysis, MemoryDocument } from "./document.ts";
import { byName } from "./measured.ts";

type Found<List extends readonly unknown[] | null> = NonNullable<List>[number];
export type FoundSuspect = Found<HeapAnalysis["suspects"]>;
export type FoundPoint = Found<HeapAnalysis["accumulation_points"]>;
export type FoundGameObjects = Found<HeapAnalysis["game_objects"]>;

/** The known reasons for a quick analysis instead of another (MEM-10); newer plugins have more. */
export const fallbackReasons: ReadonlySet<string> = new Set([
  "memory",
  "memory-unknown",
  "out-of-memory",
  "timeout",
  "too-large",
  "failed",
  "disk-space",
]);

/** A suspect retains this percentage of the reachable bytes or more: the Eclipse Memory Analyzer's rule. */
export const leastSuspectPct = 10;

/** Null unless a quick analysis ran that was not requested. */
export function fallbackOf(document: MemoryDocument): HeapAnalysis["fallback"] {
  if (document.schema === "service-heap-summary/1") return null;
  const { mode, requested_mode, fallback } = document;
  return mode === "quick" && requested_mode !== "quick" ? fallback : null;
}

/** Null for a quick analysis: like a summary, it only counts objects. */
function deepAnalysis(document: MemoryDocument): HeapAnalysis | null {
  return document.schema === "service-heap-analysis/1" && document.mode !== "quick" ? document : null;
}

/** If the reachable bytes are unknown, the sender's report counts: the sender knew them. */
export const isSuspect = ({ retained_bytes }: FoundSuspect, { totals }: HeapAnalysis): boolean =>
  totals.reachable_bytes === null || retained_bytes * 100 >= totals.reachable_bytes * leastSuspectPct;

const byRetained = (
  one: { readonly key: string; readonly retained_bytes: number },
  other: { readonly key: string; readonly retained_bytes: number },
): number => other.retained_bytes - one.retained_bytes || byName(one.key, other.key);

/** Largest first; null if the analysis looked for none or does not report them. */
export function suspectsOf(document: MemoryDocument): FoundSuspect[] | null {
  const analysis = deepAnalysis(document);
  if (analysis === null || analysis.suspects === null) return null;
  return analysis.suspects.filter((suspect) => isSuspect(suspect, analysis)).sort(byRetained);
}

/** Accumulation points, largest first; null as for suspects. */
export const pointsOf = (document: MemoryDocument): FoundPoint[] | null =>
  deepAnalysis(document)?.accumulation_points?.toSorted(byRetained) ?? null;

/** Most stale objects first; null as for suspects. */
export const gameObjectsOf = (document: MemoryDocument): FoundGameObjects[] | null =>
  deepAnalysis(document)?.game_objects?.toSorted(
    (one, other) =>
      other.stale - one.stale ||
      other.held - one.held ||
      byName(one.owner ?? "", other.owner ?? "") ||
      byName(one.kind, other.kind),
  ) ?? null;
