import { medianOfFew } from "../statistics/order.ts";
import { hourMs, type Instant } from "../time.ts";

// Figures were chosen by simulation: test/bench/slower-than-usual.bench.ts prints how often the beginning is right.

/** The beginning of a finding is looked for in this time before it opens, ms: what rose earlier is another rise. */
export const lookBackMs = 6 * hourMs;
/** Buckets before and after a possible beginning that are compared: an hour each. */
const sideBuckets = 12;
/** The fewest buckets after it: more than half of those that open a finding. */
const leastAfter = 5;
/** The level after a beginning is the median of as many buckets: 45 minutes. */
const levelBuckets = 9;
/** Sums of logarithms that differ by less are equal. */
const roundingError = 1e-9;
/** A rise is a beginning if the level never falls below this share of it again. */
const keptShare = 0.7;

/** How far one bucket is above what is usual. */
export interface LevelRatio {
  readonly at: Instant;
  /** Natural logarithm of its value / the median of its band. */
  readonly ratio: number;
}

const medianOf = (ratios: readonly number[], from: number, to: number): number =>
  medianOfFew(ratios.slice(from, to));

/** How badly one level fits these ratios: the sum of their distances from their median. */
function misfit(ratios: readonly number[], from: number, to: number): number {
  const level = medianOf(ratios, from, to);
  let sum = 0;
  for (let place = from; place < to; place += 1) sum += Math.abs((ratios[place] ?? 0) - level);
  return sum;
}

/** For each place the lowest level of those that begin there or later. */
function lowestLater(ratios: readonly number[]): number[] {
  const lowest = Array.from({ length: ratios.length + 1 }, () => Infinity);
  for (let from = ratios.length - levelBuckets; from >= 0; from -= 1)
    lowest[from] = Math.min(lowest[from + 1] ?? Infinity, medianOf(ratios, from, from + levelBuckets));
  return lowest;
}

/**
 * The bucket at which two levels, of the hours before and after it, fit best, compared with one level; medians,
 * since a burst of a few minutes is no level. `levels`: oldest first, up to the bucket that opens the finding.
 * Of two that fit as well the later one. Null if no rise lasted.
 */
export function levelBeginning(levels: readonly LevelRatio[]): Instant | null {
  const ratios = levels.map(({ ratio }) => ratio);
  const lowest = lowestLater(ratios);
  let [beginning, best]: [Instant | null, number] = [null, 0];
  for (const [place, { at }] of levels.entries()) {
    if (place === 0 || place > levels.length - leastAfter) continue;
    const [from, to] = [Math.max(0, place - sideBuckets), Math.min(levels.length, place + sideBuckets)];
    const before = medianOf(ratios, from, place);
    const rise = medianOf(ratios, place, to) - before;
    const middle = before + rise / 2;
    const isCrossed = (ratios[place - 1] ?? 0) < middle && (ratios[place] ?? 0) >= middle;
    if (rise <= 0 || !isCrossed || (lowest[place] ?? Infinity) < before + keptShare * rise) continue;
    const gain = misfit(ratios, from, to) - misfit(ratios, from, place) - misfit(ratios, place, to);
    if (gain >= best - roundingError) [beginning, best] = [at, gain];
  }
  return beginning;
}
