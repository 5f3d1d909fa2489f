// Sums of these probabilities are exact to at least twelve digits; two that differ do so by far more.
const roundingSlack = 1e-12;

/**
 * P(U = 0), P(U = 1), … up to half of all pairs, for the Mann–Whitney statistic of m and n values without
 * ties: the coefficients of ∏ (1 − q^(n+i)) / (1 − q^i) · i / (n + i), i = 1 … m. rank-sum.ts counts the same
 * in whole numbers, which doubles cannot hold from 29 values a side on.
 */
function lowerHalf(m: number, n: number): Float64Array {
  const [small, large] = m < n ? [m, n] : [n, m];
  const most = (m * n) >> 1;
  const shares = new Float64Array(most + 1);
  shares[0] = 1;
  for (let factor = 1; factor <= small; factor += 1) {
    for (let u = most; u >= large + factor; u -= 1)
      shares[u] = (shares[u] ?? 0) - (shares[u - large - factor] ?? 0);
    for (let u = factor; u <= most; u += 1) shares[u] = (shares[u] ?? 0) + (shares[u - factor] ?? 0);
    const scale = factor / (large + factor);
    for (let u = 0; u <= most; u += 1) shares[u] = (shares[u] ?? 0) * scale;
  }
  return shares;
}

export interface PairBound {
  /** The largest k with P(U < k) ≤ alpha: how deep the bound lies among the sorted pairs; 0 for none. */
  readonly depth: number;
  /** P(U < depth): the probability beyond the bound, on one side. */
  readonly beyond: number;
}

/** For sides of some hundred values each. */
export function pairBound(alpha: number, m: number, n: number): PairBound {
  let [depth, beyond] = [0, 0];
  for (const share of lowerHalf(m, n)) {
    if (beyond + share > alpha + roundingSlack) break;
    beyond += share;
    depth += 1;
  }
  return { depth, beyond };
}

/**
 * How many values lie outside each end of the sign test's interval for the median of n values, whatever their
 * distribution: at most `alpha` beyond each end; −1: no interval.
 */
export function medianDepth(alpha: number, n: number): number {
  let [depth, share, below] = [-1, 2 ** -n, 0];
  while (below + share <= alpha + roundingSlack && depth + 1 < n / 2) {
    below += share;
    depth += 1;
    share *= (n - depth) / (depth + 1);
  }
  return depth;
}
