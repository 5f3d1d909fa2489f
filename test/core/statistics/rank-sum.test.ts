import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { median, robustDeviation } from "../../../src/core/statistics/order.ts";
import { doubledRanks, rankSums } from "../../../src/core/statistics/mid-ranks.ts";
import {
  arrangements,
  atMostProbability,
  boundDepth,
  rankSumCounts,
} from "../../../src/core/statistics/rank-sum.ts";
import {
  eitherProbability,
  lowerProbability,
  pairRatios,
  shareOfLarger,
  shiftInterval,
  shiftRatio,
} from "../../../src/core/statistics/shift.ts";
import { randomCases } from "../../support/long.ts";

/** Every choice of `count` of the indexes below `size`. */
function* choices(size: number, count: number, from = 0): Generator<number[]> {
  if (count === 0) yield [];
  else
    for (let first = from; first <= size - count; first += 1)
      for (const rest of choices(size, count - 1, first + 1)) yield [first, ...rest];
}

/** U of one group against another: pairs in which the second one's value is the larger, a tie being half a pair. */
const pairsHigher = (first: readonly number[], second: readonly number[]): number =>
  first
    .flatMap((one) => second.map((other) => (Math.sign(other - one) + 1) / 2))
    .reduce((sum, each) => sum + each, 0);

/** U of every way to part the values in two: found by trying all. */
function everyU(values: readonly number[], m: number): number[] {
  return [...choices(values.length, m)].map((chosen) => {
    const first = chosen.map((index) => values[index] ?? 0);
    const second = values.filter((_, index) => !chosen.includes(index));
    return pairsHigher(first, second);
  });
}

const sizes = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }));
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const distinct = (least: number, most: number) =>
  fc.uniqueArray(fc.integer({ min: 1, max: 100_000 }), { minLength: least, maxLength: most });

describe("the distribution of U", () => {
  it("[OUR-BEF-08] is that of all arrangements, counted one by one", () => {
    for (let m = 1; m <= 5; m += 1) {
      for (let n = 1; n <= 6; n += 1) {
        const counted = upTo(m * n + 1).map(() => 0);
        for (const u of everyU(upTo(m + n), m)) counted[u] = (counted[u] ?? 0) + 1;
        expect([...rankSumCounts(m, n, m * n)], `${m} and ${n}`).toEqual(counted);
      }
    }
  });

  it("[OUR-BEF-08] is symmetric, in its sides and in itself, and whole where it is long", () => {
    for (const [m, n] of [
      [10, 10],
      [5, 86],
      [3, 40],
    ] as const) {
      const counts = [...rankSumCounts(m, n, m * n)];
      expect(counts).toEqual([...rankSumCounts(n, m, m * n)]);
      expect(counts).toEqual(counts.toReversed());
      expect(counts.reduce((sum, count) => sum + count)).toBe(arrangements(m, n));
    }
    expect(arrangements(5, 86)).toBe(46_504_458);
  });

  it("[OUR-BEF-08] is refused where doubles cannot count it", () => {
    expect(() => rankSumCounts(45, 45, 10)).toThrow(RangeError);
  });

  it("[OUR-BEF-08] gives rising probabilities", () => {
    fc.assert(
      fc.property(sizes, ([m, n]) => {
        const chances = upTo(m * n + 1).map((u) => atMostProbability(u, m, n));
        expect(chances).toEqual(chances.toSorted((a, b) => a - b));
        expect(atMostProbability(-1, m, n)).toBe(0);
        expect(chances.at(-1)).toBe(1);
      }),
    );
  });

  it.each([
    [3, 3, 1, 0.1],
    [3, 4, 1, 2 / 35],
    [4, 4, 2, 4 / 70],
    [5, 5, 5, 24 / 252],
    [10, 10, 28, undefined],
  ])("[OUR-BEF-08] %i v %i runs: the bound is pair %i, the two-sided p beyond it %s", (m, n, depth, p) => {
    expect(boundDepth(0.05, m, n)).toBe(depth);
    expect(2 * atMostProbability(depth - 1, m, n)).toBeLessThanOrEqual(0.1);
    expect(2 * atMostProbability(depth, m, n)).toBeGreaterThan(0.1);
    if (p !== undefined) expect(2 * atMostProbability(depth - 1, m, n)).toBeCloseTo(p, 12);
  });

  it("[OUR-BEF-08] two runs a side have no bound of that level", () => {
    expect(boundDepth(0.05, 2, 2)).toBe(0);
  });
});

describe("p-values", () => {
  // Few values, so that most pools have ties; and one in which every value is another.
  const pools = fc.oneof(
    ...[2, 4, 8].map((most) => fc.array(fc.integer({ min: 1, max: most }), { minLength: 10, maxLength: 10 })),
    distinct(10, 10),
  );

  it("[OUR-BEF-08] [OUR-REG-05] are those of all arrangements of the values, tied ones too", () => {
    let tied = 0;
    fc.assert(
      fc.property(sizes, pools, ([m, n], pool) => {
        const values = pool.slice(0, m + n);
        if (new Set(values).size < values.length) tied += 1;
        const [first, second] = [values.slice(0, m), values.slice(m)];
        const all = everyU(values, m);
        const observed = pairsHigher(first, second);
        const low = all.filter((u) => u <= observed).length / all.length;
        const distance = Math.abs(observed - (m * n) / 2);
        const both = all.filter((u) => Math.abs(u - (m * n) / 2) >= distance).length / all.length;
        expect(lowerProbability(first, second)).toBeCloseTo(low, 12);
        expect(eitherProbability(first, second)).toBeCloseTo(both, 12);
      }),
      { numRuns: randomCases(500) },
    );
    expect(tied).toBeGreaterThan(randomCases(200));
  });

  it("[OUR-BEF-08] without ties they are those of U", () => {
    fc.assert(
      fc.property(distinct(20, 20), fc.integer({ min: 1, max: 19 }), (values, m) => {
        const [first, second] = [values.slice(0, m), values.slice(m)];
        const u = pairsHigher(first, second);
        const fewer = Math.min(u, m * (20 - m) - u);
        expect(lowerProbability(first, second)).toBeCloseTo(atMostProbability(u, m, 20 - m), 12);
        expect(eitherProbability(first, second)).toBeCloseTo(
          Math.min(1, 2 * atMostProbability(fewer, m, 20 - m)),
          12,
        );
      }),
    );
  });

  it.each<[string, readonly number[], readonly number[], number]>([
    ["one value on both sides", [100, 102, 102], [102, 103, 104], 6 / 20],
    ["fully apart, ties within the sides", [100, 100, 102], [103, 103, 104], 2 / 20],
    ["nothing but ties", [7, 7, 7], [7, 7, 7], 1],
    ["unlike sides: the two tails differ", [1, 1, 1, 1], [1, 2], 2 / 6],
    ["one tie in ten a side", upTo(10), upTo(10).map((value) => value + 9), 4 / 184_756],
  ])("[OUR-BEF-08] by hand, %s", (_, before, after, p) => {
    expect(eitherProbability(before, after)).toBeCloseTo(p, 12);
    expect(eitherProbability(after, before)).toBeCloseTo(p, 12);
  });

  it("[OUR-BEF-08] the largest sides are counted whole, in milliseconds of the processor", () => {
    const [ten, late] = [upTo(10).map((at) => 100 + (at % 4)), upTo(10).map((at) => 102 + (at % 4))];
    const [season, week] = [upTo(85).map((at) => 1000 + (at % 20)), upTo(5).map((at) => 1003 + (at % 3))];
    for (const { counts, total } of [rankSums(late, ten), rankSums(week, season)])
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(total);
    const start = process.cpuUsage();
    for (let time = 0; time < 20; time += 1) {
      eitherProbability(ten, late);
      lowerProbability(season, week);
    }
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000 / 40, "ms each").toBeLessThan(10);
  });

  it("[OUR-BEF-08] equal values share the mean of their ranks", () => {
    expect(doubledRanks([30, 10, 20, 10])).toEqual([8, 3, 6, 3]);
    expect(doubledRanks([5, 5, 5])).toEqual([4, 4, 4]);
  });

  it("[OUR-BEF-08] the sides swapped give the same two-sided one", () => {
    fc.assert(
      fc.property(distinct(3, 8), distinct(3, 8), (first, second) => {
        expect(eitherProbability(second, first)).toBe(eitherProbability(first, second));
      }),
    );
  });
});

describe("shift and interval", () => {
  const scores = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 3, maxLength: 10 });

  it("[OUR-BEF-07] the shift is the median of all ratios, its reciprocal when the sides are swapped", () => {
    expect(shiftRatio(pairRatios([4000, 3980, 4050], [4400, 4380, 4420]))).toBe(1.1);
    fc.assert(
      fc.property(scores, scores, (first, second) => {
        const ratio = shiftRatio(pairRatios(first, second));
        expect(ratio * shiftRatio(pairRatios(second, first))).toBeCloseTo(1, 9);
        expect(shiftRatio(pairRatios(first, first))).toBeCloseTo(1, 9);
      }),
    );
  });

  it("[OUR-BEF-08] the interval holds the shift, mirrors when swapped, and covers the truth 90 times in 100", () => {
    fc.assert(
      fc.property(scores, scores, (first, second) => {
        const depth = boundDepth(0.05, first.length, second.length);
        const ratios = pairRatios(first, second);
        const [low, high] = shiftInterval(ratios, depth);
        const [mirrorLow, mirrorHigh] = shiftInterval(pairRatios(second, first), depth);
        expect(low).toBeLessThanOrEqual(shiftRatio(ratios) * (1 + 1e-12));
        expect(high).toBeGreaterThanOrEqual(shiftRatio(ratios) * (1 - 1e-12));
        expect(low * mirrorHigh).toBeCloseTo(1, 9);
        expect(high * mirrorLow).toBeCloseTo(1, 9);
      }),
    );
    // Of all 70 equally likely arrangements of eight values, the interval of no more than 10 in 100 misses 1.
    const missed = [...choices(8, 4)].filter((chosen) => {
      const values = upTo(8).map((index) => 1.01 ** index);
      const first = chosen.map((index) => values[index] ?? 1);
      const second = values.filter((_, index) => !chosen.includes(index));
      const [low, high] = shiftInterval(pairRatios(first, second), boundDepth(0.05, 4, 4));
      return low > 1 || high < 1;
    });
    expect(missed.length / 70).toBeCloseTo(4 / 70, 12);
  });

  it("[OUR-BEF-08] the interval excludes 1 exactly when the two-sided p is 0.10 or less", () => {
    fc.assert(
      fc.property(scores, scores, (first, second) => {
        const depth = boundDepth(0.05, first.length, second.length);
        const [low, high] = shiftInterval(pairRatios(first, second), depth);
        const isApart = low > 1 || high < 1;
        if (isApart) expect(eitherProbability(first, second)).toBeLessThanOrEqual(0.1 + 1e-12);
        if (new Set([...first, ...second]).size === first.length + second.length)
          expect(eitherProbability(first, second) <= 0.1 + 1e-12).toBe(isApart);
      }),
    );
  });

  it("[OUR-BEF-09] the share of the larger value has the same size both ways", () => {
    expect(shareOfLarger(1000 / 950)).toBeCloseTo(0.05, 12);
    expect(shareOfLarger(950 / 1000)).toBeCloseTo(-0.05, 12);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e5 }), fc.integer({ min: 1, max: 1e5 }), (one, other) => {
        expect(shareOfLarger(one / other)).toBeCloseTo(-shareOfLarger(other / one), 12);
      }),
    );
  });
});

describe("order", () => {
  it("[OUR-REG-05] the median and the robust deviation are those of the textbook", () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(robustDeviation([1, 1, 2, 2, 4, 6, 9])).toBeCloseTo(1.4826, 12);
    expect(robustDeviation([5])).toBe(0);
    expect(() => median([])).toThrow(RangeError);
  });
});
