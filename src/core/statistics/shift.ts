import { middle } from "./order.ts";
import { rankSums } from "./mid-ranks.ts";

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

/** All m × n differences `later` − `earlier`, in increasing order. */
export function pairDifferences(earlier: readonly number[], later: readonly number[]): Float64Array {
  const differences = new Float64Array(earlier.length * later.length);
  let index = 0;
  for (const base of earlier) for (const value of later) differences[index++] = value - base;
  return differences.sort();
}

/**
 * How far the later values lie above the earlier ones: the median of all pairs' differences (Hodges and Lehmann,
 * 1963). Swapping the sides changes its sign and nothing else.
 */
export function shiftDifference(sortedDifferences: Float64Array): number {
  const [low, high] = middle(sortedDifferences);
  return (low + high) / 2;
}

/**
 * The `depth`-th smallest and largest of the sorted pairs, ratios or differences: a confidence interval of the shift
 * for whatever distribution the values have (Moses, 1953; Hollander and Wolfe, Nonparametric Statistical Methods, 4.3).
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
 * The probability that `later` stands as low against `earlier`, or lower, when nothing changed: exact over all ways to
 * part the same values into two groups of these sizes, a tie being half a pair (Mann and Whitney, 1947).
 */
export function lowerProbability(earlier: readonly number[], later: readonly number[]): number {
  const { observed, counts, total } = rankSums(later, earlier);
  return counts.subarray(0, observed + 1).reduce((sum, count) => sum + count, 0) / total;
}

/**
 * The probability of standing so far apart, either way, when nothing changed: exact like the one above. Where ties
 * make the two tails unlike, both are counted, from the same distance to the mean on.
 */
export function eitherProbability(earlier: readonly number[], later: readonly number[]): number {
  const { observed, mean, counts, total } = rankSums(later, earlier);
  const distance = Math.abs(observed - mean);
  const asFar = counts.filter((_, sum) => Math.abs(sum - mean) >= distance);
  return asFar.reduce((sum, count) => sum + count, 0) / total;
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
