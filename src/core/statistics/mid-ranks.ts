import { arrangements } from "./rank-sum.ts";

/**
 * The exact permutation distribution of the rank sum (Wilcoxon, 1945). Equal values share the mean of their
 * ranks; ranks are doubled, so that every sum is a whole number.
 */
export interface RankSums {
  /** Twice the rank sum of the chosen values. */
  readonly observed: number;
  /** Twice its mean over all choices. */
  readonly mean: number;
  /** The number of choices for each doubled sum from 0 on; exact in doubles. */
  readonly counts: Float64Array;
  readonly total: number;
}

/** Doubled ranks begin at 2; equal values share the mean of their ranks. */
export function doubledRanks(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  const [first, last] = [new Map<number, number>(), new Map<number, number>()];
  for (const [index, value] of sorted.entries()) {
    if (!first.has(value)) first.set(value, index + 1);
    last.set(value, index + 1);
  }
  return values.map((value) => (first.get(value) ?? 0) + (last.get(value) ?? 0));
}

/** For each sum from 0 on, the number of ways to choose `size` of the ranks with that sum. */
function countSums(ranks: readonly number[], size: number): Float64Array {
  const most = ranks
    .toSorted((a, b) => b - a)
    .slice(0, size)
    .reduce((sum, rank) => sum + rank, 0);
  const counts = Array.from({ length: size + 1 }, () => new Float64Array(most + 1));
  counts[0]?.fill(1, 0, 1);
  for (const rank of ranks) {
    for (let chosen = size; chosen > 0; chosen -= 1) {
      const [fewer, here] = [counts[chosen - 1], counts[chosen]];
      if (!fewer || !here) continue;
      for (let sum = rank; sum <= most; sum += 1) here[sum] = (here[sum] ?? 0) + (fewer[sum - rank] ?? 0);
    }
  }
  return counts[size] ?? new Float64Array(0);
}

/** Throws a RangeError if doubles cannot count the choices. Time grows with (values × chosen values)². */
export function rankSums(chosen: readonly number[], others: readonly number[]): RankSums {
  const total = arrangements(chosen.length, others.length);
  const ranks = doubledRanks([...chosen, ...others]);
  const observed = ranks.slice(0, chosen.length).reduce((sum, rank) => sum + rank, 0);
  return {
    observed,
    mean: chosen.length * (ranks.length + 1),
    counts: countSums(ranks, chosen.length),
    total,
  };
}
