import type { HeapAnalysis, MemoryDocument } from "./document.ts";
import { byName } from "./measured.ts";

type Found<List extends readonly unknown[] | null> = NonNullable<List>[number];
export type FoundSuspect = Found<HeapAnalysis["suspects"]>;
export type FoundPoint = Found<HeapAnalysis["accumulation_points"]>;
export type FoundGameObjects = Found<HeapAnalysis["game_objects"]>;

/** Why a quick analysis may have replaced another, as far as we know (MEM-10); newer plugins have more reasons. */
export const fallbackReasons: ReadonlySet<string> = new Set([
  "memory",
  "memory-unknown",
  "out-of-memory",
  "timeout",
  "too-large",
  "failed",
  "disk-space",
]);

/** What retains at least this percentage of the reachable bytes is a suspect: the Eclipse Memory Analyzer's rule. */
export const leastSuspectPct = 10;

/** Why another analysis ran than was asked for; only a quick one stands in for another. */
export function fallbackOf(document: MemoryDocument): HeapAnalysis["fallback"] {
  if (document.schema === "service-heap-summary/1") return null;
  const { mode, requested_mode, fallback } = document;
  return mode === "quick" && requested_mode !== "quick" ? fallback : null;
}

/** Only these analyses look for what holds memory: a quick one counts objects, as a summary does. */
function deepAnalysis(document: MemoryDocument): HeapAnalysis | null {
  return document.schema === "service-heap-analysis/1" && document.mode !== "quick" ? document : null;
}

/**
 * Whether it retains enough for a suspect. Where the reachable bytes are unknown the sender's word counts, who knew
 * them.
 */
export const isSuspect = ({ retained_bytes }: FoundSuspect, { totals }: HeapAnalysis): boolean =>
  totals.reachable_bytes === null || retained_bytes * 100 >= totals.reachable_bytes * leastSuspectPct;

const byRetained = (
  one: { readonly key: string; readonly retained_bytes: number },
  other: { readonly key: string; readonly retained_bytes: number },
): number => other.retained_bytes - one.retained_bytes || byName(one.key, other.key);

/** The leak suspects, largest first; null where the analysis looked for none or does not tell. */
export function suspectsOf(document: MemoryDocument): FoundSuspect[] | null {
  const analysis = deepAnalysis(document);
  if (analysis === null || analysis.suspects === null) return null;
  return analysis.suspects.filter((suspect) => isSuspect(suspect, analysis)).sort(byRetained);
}

/** Where objects pile up, largest first; null as for suspects. */
export const pointsOf = (document: MemoryDocument): FoundPoint[] | null =>
  deepAnalysis(document)?.accumulation_points?.toSorted(byRetained) ?? null;

/** Game objects that owners hold, most stale ones first; null as for suspects. */
export const gameObjectsOf = (document: MemoryDocument): FoundGameObjects[] | null =>
  deepAnalysis(document)?.game_objects?.toSorted(
    (one, other) =>
      other.stale - one.stale ||
      other.held - one.held ||
      byName(one.owner ?? "", other.owner ?? "") ||
      byName(one.kind, other.kind),
  ) ?? null;
