import { z } from "zod";
import type { Instant } from "../time.ts";
import { seriesGapMs } from "./gaps.ts";
import type { Sample } from "./sample.ts";

/** Programs whose files have samples; the server sent every other sample by itself. */
export const SampleSource = z.enum(["spark"]);
export type SampleSource = z.infer<typeof SampleSource>;

/** A sample out of a file, of the time from `startedAt` on. */
export interface ImportedSample {
  readonly startedAt: Instant;
  readonly sampledAt: Instant;
  readonly sample: Sample;
}

/** The time of a stored sample, and whether it was imported. */
export interface SampleMark {
  readonly at: Instant;
  readonly isImported: boolean;
}

/** How far around a time an own sample says that the server has data of it: what a series does not call a gap. */
export const ownReachMs = seriesGapMs;

/** Whether `times`, ascending, has one that is at most `reach` from `at`. */
function hasNear(times: readonly Instant[], at: Instant, reach: number): boolean {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < at - reach) low = middle + 1;
    else high = middle;
  }
  return (times[low] ?? Number.POSITIVE_INFINITY) <= at + reach;
}

const ascending = (times: readonly Instant[]): Instant[] => times.toSorted((a, b) => a - b);

/**
 * The imported samples that fill a gap of the server's own ones. A file that has the same minute as another one adds
 * nothing to it.
 */
export function fillingGaps(
  samples: readonly ImportedSample[],
  known: readonly SampleMark[],
): ImportedSample[] {
  const own = ascending(known.filter(({ isImported }) => !isImported).map(({ at }) => at));
  const imported = ascending(known.filter(({ isImported }) => isImported).map(({ at }) => at));
  const taken = new Set<Instant>();
  return samples.filter(({ startedAt, sampledAt }) => {
    if (taken.has(sampledAt) || hasNear(own, sampledAt, ownReachMs)) return false;
    if (hasNear(imported, sampledAt, Math.max(0, sampledAt - startedAt - 1))) return false;
    taken.add(sampledAt);
    return true;
  });
}

/** The imported samples that own samples of these times take the place of. */
export function replacedBy(own: readonly Instant[], known: readonly SampleMark[]): Instant[] {
  const times = ascending(own);
  return known
    .filter(({ at, isImported }) => isImported && hasNear(times, at, ownReachMs))
    .map(({ at }) => at);
}
