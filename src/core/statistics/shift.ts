import { middle } from "./order.ts";
import { atMostProbability } from "./rank-sum.ts";

/**
 * All m × n ratios `later` / `earlier`, in increasing order; the values are above 0. What is said of ratios here is
 * what the same procedure says of differences of logarithms, without a logarithm's rounding.
 */
export function pairRatios(earlier: readonly number[], later: readonly number[]): Float64Array {
  const ratios = new Float64Array(earlier.length * later.length);
  let index = 0;
  for (const base of earlier) for (const value of later) ratios[index++] = value / base;
  return ratios.sort();
}

/**
 * How many times the earlier values the later ones are: the median of all pairs' ratios (Hodges and Lehmann, 1963, on
 * the logarithms; the geometric mean of the two middle ones). Swapping the sides gives the reciprocal.
 */
export function shiftRatio(sortedRatios: Float64Array): number {
  const [low, high] = middle(sortedRatios);
  return low === high ? low : Math.sqrt(low * high);
}

/**
 * The `depth`-th smallest and largest of the sorted pairs: a confidence interval of that ratio for whatever
 * distribution the values have (Moses, 1953; Hollander and Wolfe, Nonparametric Statistical Methods, 4.3).
 */
export function shiftInterval(
  sortedRatios: Float64Array,
  depth: number,
): readonly [low: number, high: number] {
  const low = sortedRatios[depth - 1];
  const high = sortedRatios[sortedRatios.length - depth];
  if (low === undefined || high === undefined) throw new RangeError("No pair lies that deep.");
  return [low, high];
}

/** Pairs in which the later value is larger; a tie is half a pair. */
export function pairsHigher(earlier: readonly number[], later: readonly number[]): number {
  let [higher, equal] = [0, 0];
  for (const base of earlier) {
    for (const value of later) {
      if (value > base) higher += 1;
      else if (value === base) equal += 1;
    }
  }
  return higher + equal / 2;
}

/** The exact probability that `later` stands as low against `earlier`, or lower, when nothing changed. */
export const lowerProbability = (earlier: readonly number[], later: readonly number[]): number =>
  atMostProbability(pairsHigher(earlier, later), earlier.length, later.length);

/** The exact two-sided probability of standing so far apart, either way, when nothing changed. */
export function eitherProbability(earlier: readonly number[], later: readonly number[]): number {
  const higher = pairsHigher(earlier, later);
  const fewer = Math.min(higher, earlier.length * later.length - higher);
  return Math.min(1, 2 * atMostProbability(fewer, earlier.length, later.length));
}

/**
 * A ratio as a share of the larger of the two values it compares, from −1 to 1, the measure of the tie band: the
 * same number with the other sign when the sides are swapped.
 */
export const shareOfLarger = (ratio: number): number => (ratio < 1 ? ratio - 1 : 1 - 1 / ratio);

// Scores are whole numbers up to 100,000, so two shares that differ do so by more than this; doubles by far less.
const roundingSlack = 1e-9;

/** `share` ≥ `bound`, and `share` > `bound`, as exact arithmetic would have it. */
export const reaches = (share: number, bound: number): boolean => share >= bound - roundingSlack;
export const exceeds = (share: number, bound: number): boolean => share > bound + roundingSlack;
