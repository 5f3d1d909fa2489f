import { describe, expect, it } from "vitest";
import { medianDepth, pairBound } from "../../../src/core/statistics/long-sides.ts";
import { atMostProbability, boundDepth } from "../../../src/core/statistics/rank-sum.ts";

/** The depth in whole numbers without end, by the recurrence of the counts: no rounding anywhere. */
function exactDepth(perMille: bigint, m: number, n: number): number {
  const most = (m * n) >> 1;
  const counts = Array.from({ length: most + 1 }, () => 0n);
  counts[0] = 1n;
  let total = 1n;
  for (let factor = 1; factor <= m; factor += 1) {
    total = (total * BigInt(n + factor)) / BigInt(factor);
    for (let u = most; u >= n + factor; u -= 1)
      counts[u] = (counts[u] ?? 0n) - (counts[u - n - factor] ?? 0n);
    for (let u = factor; u <= most; u += 1) counts[u] = (counts[u] ?? 0n) + (counts[u - factor] ?? 0n);
  }
  let [below, depth] = [0n, 0];
  for (const count of counts) {
    below += count;
    if (below * 1000n > perMille * total) break;
    depth += 1;
  }
  return depth;
}

describe("the bound of long sides", () => {
  it("[OUR-CPR-05] is that of the counted arrangements where these can be counted", () => {
    for (let m = 1; m <= 16; m += 1)
      for (let n = 1; n <= 16; n += 1) {
        const { depth, beyond } = pairBound(0.005, m, n);
        expect(depth, `${m} and ${n}`).toBe(boundDepth(0.005, m, n));
        expect(beyond).toBeCloseTo(atMostProbability(depth - 1, m, n), 12);
      }
  });

  it.each([
    [29, 29],
    [30, 30],
    [31, 28],
    [7, 90],
    [60, 61],
    [92, 90],
  ])("[OUR-CPR-05] of %i and %i values is that of whole numbers without end", (m, n) => {
    for (const perMille of [5n, 25n, 50n])
      expect(pairBound(Number(perMille) / 1000, m, n).depth).toBe(exactDepth(perMille, m, n));
  });

  it("[OUR-CPR-05] of half a year a side is finite, and as deep as the normal distribution has it", () => {
    const [m, n] = [183, 183];
    const { depth, beyond } = pairBound(0.005, m, n);
    const normal = (m * n) / 2 - 2.5758 * Math.sqrt((m * n * (m + n + 1)) / 12);
    expect(Math.abs(depth - normal)).toBeLessThan(normal / 200);
    expect(beyond).toBeGreaterThan(0.00499);
  });
});

it("[OUR-CPR-10] the interval of a median leaves out what the sign test's binomial shares allow", () => {
  // Beyond one end of four values lie 6.3 %, of five 3.1 %; beyond the second of seven 6.3 %, of eight 3.5 %.
  expect([1, 4, 5, 7, 8, 10, 20].map((n) => medianDepth(0.05, n))).toEqual([-1, -1, 0, 0, 1, 1, 5]);
});
