import { middle } from "./order.ts";
import { rankSums } from "./mid-ranks.ts";

/** In increasing order, for values above 0. Equivalent to differences of logarithms, without rounding. */
export function pairRatios(earlier: readonly number[], later: readonly number[]): Float64Array {
  const ratios = new Float64Array(earlier.length * later.length);
  let index = 0;
  for (const base of earlier) for (const value of later) ratios[index++] = value / base;
  return ratios.sort();
}

/** The median of all pairs' ratios (Hodges and Lehmann, 1963). Swapping the sides gives the reciprocal. */
export function shiftRatio(sortedRatios: Float64Array): number {
  const [low, high] = middle(sortedRatios);
  return low === high ? low : Math.sqrt(low * high);
}

/** All m × n differences `later` − `earlier`, in increasing order. */
export function pairDifferences(earlier: readonly number[], later: readonly number[]): Float64Array {
  const differences = new Float64Array(earlier.length * later.length);
  let index = 0;
  for (const base of earlier) for (const value of later) differences[index++] = value - base;
  return differences.sort();
}

/** The median of all differences (Hodges and Lehmann, 1963). Swapping the sides changes its sign. */
export function shiftDifference(sortedDifferences: Float64Array): number {
  const [low, high] = middle(sortedDifferences);
  return (low + high) / 2;
}

/**
 * The `depth`-th smallest and largest pair: a confidence interval of the shift for any distribution (Moses,
 * 1953; Hollander and Wolfe, Nonparametric Statistical Methods, 4.3). Throws a RangeError for no such pair.
 */
export function shiftInterval(
  sortedPairs: Float64Array,
  depth: number,
): readonly [low: number, high: number] {
  const low = sortedPairs[depth - 1];
  const high = sortedPairs[sortedPairs.length - depth];
  if (low === undefined || high === undefined) throw new RangeError("No pair lies that deep.");
  return [low, high];
}

/**
 * The probability that `later` is as low against `earlier`, or lower, when nothing changed: exact over all
 * ways to divide the values into groups of these sizes; a tie is half a pair (Mann and Whitney, 1947).
 */
export function lowerProbability(earlier: readonly number[], later: readonly number[]): number {
  const { observed, counts, total } = rankSums(later, earlier);
  return counts.subarray(0, observed + 1).reduce((sum, count) => sum + count, 0) / total;
}

/**
 * The probability of this distance or more, in either direction, when nothing changed; exact like the one
 * above. Ties can make the two tails unequal, so both are counted from the same distance to the mean.
 */
export function eitherProbability(earlier: readonly number[], later: readonly number[]): number {
  const { observed, mean, counts, total } = rankSums(later, earlier);
  const distance = Math.abs(observed - mean);
  const asFar = counts.filter((_, sum) => Math.abs(sum - mean) >= distance);
  return asFar.reduce((sum, count) => sum + count, 0) / total;
}

/** The difference as a share of the larger value, from −1 to 1. Swapping the sides changes its sign. */
export const shareOfLarger = (ratio: number): number => (ratio < 1 ? ratio - 1 : 1 - 1 / ratio);

// Scores are whole numbers up to 100,000: shares that differ do so by more, rounding errors are smaller.
const roundingSlack = 1e-9;

/** `share` ≥ `bound` and `share` > `bound`, without rounding errors. */
export const reaches = (share: number, bound: number): boolean => share >= bound - roundingSlack;
export const exceeds = (share: number, bound: number): boolean => share > bound + roundingSlack;
