/**
 * The null distribution of the Mann–Whitney U statistic (Mann and Whitney, 1947): any m of m + n values
 * without ties are equally likely to be the first group's, and U counts the pairs in which the second group's
 * value is larger. All counts are exact in doubles, so that no rounding decides a verdict.
 */

/** The number of ways to choose m of m + n. Throws a RangeError if doubles cannot hold it exactly. */
export function arrangements(m: number, n: number): number {
  let count = 1;
  for (let chosen = 1; chosen <= Math.min(m, n); chosen += 1)
    count = (count * (m + n - Math.min(m, n) + chosen)) / chosen;
  if (!Number.isSafeInteger(count)) throw new RangeError("Too many arrangements to be counted.");
  return count;
}

/**
 * How many arrangements have U = 0, 1, … `most`. They are the coefficients of the Gaussian binomial
 * ∏ (1 − q^(n+i)) / (1 − q^i), i = 1 … m, which is multiplied out here up to the power `most`.
 */
export function rankSumCounts(m: number, n: number, most: number): Float64Array {
  const [small, large] = m < n ? [m, n] : [n, m];
  arrangements(small, large);
  const counts = new Float64Array(most + 1);
  counts[0] = 1;
  for (let factor = 1; factor <= small; factor += 1) {
    for (let u = most; u >= large + factor; u -= 1)
      counts[u] = (counts[u] ?? 0) - (counts[u - large - factor] ?? 0);
    for (let u = factor; u <= most; u += 1) counts[u] = (counts[u] ?? 0) + (counts[u - factor] ?? 0);
  }
  return counts;
}

/** P(U ≤ u) for a whole `u` when both groups come from one distribution without ties. */
export function atMostProbability(u: number, m: number, n: number): number {
  const most = Math.min(u, m * n);
  if (most < 0) return 0;
  // The distribution is symmetric, so the shorter of the two tails is counted.
  if (2 * most >= m * n) return 1 - atMostProbability(m * n - most - 1, m, n);
  let count = 0;
  for (const each of rankSumCounts(m, n, most)) count += each;
  return count / arrangements(m, n);
}

/** The largest k with P(U < k) ≤ `alpha`: the bound's depth among the sorted pairs; 0 for none. */
export function boundDepth(alpha: number, m: number, n: number): number {
  const total = arrangements(m, n);
  // P(U < k) passes one half in the middle, so a bound never lies deeper.
  const counts = rankSumCounts(m, n, (m * n) >> 1);
  let [below, depth] = [0, 0];
  for (const count of counts) {
    below += count;
    if (below / total > alpha) return depth;
    depth += 1;
  }
  return depth;
}
