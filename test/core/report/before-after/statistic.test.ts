import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  judgeScores,
  spreadOf,
  type BeforeAfterDecision,
  type Judgement,
} from "../../../../src/core/report/before-after/statistic.ts";
import { beforeAfterThresholds as thresholds } from "../../../../src/core/report/before-after/thresholds.ts";
import { shareOfLarger } from "../../../../src/core/statistics/shift.ts";
import { randomCases } from "../../../support/long.ts";

const told = ({ decision, refusals }: Judgement): string => [decision, ...refusals].join(" ");

const mirrored: Record<BeforeAfterDecision, BeforeAfterDecision> = {
  improved: "degraded",
  degraded: "improved",
  no_material_change: "no_material_change",
  inconclusive: "inconclusive",
};

describe("verdicts on scores", () => {
  it.each([
    ["improved", [4000, 3980, 4050], [4400, 4380, 4420]],
    ["degraded", [4400, 4380, 4420], [4000, 3980, 4050]],
    ["no_material_change", [1000, 1003, 998], [1001, 997, 1004]],
    // Apart, and within the band all the same: nothing that matters.
    ["no_material_change", [1000, 1001, 1002], [1010, 1011, 1012]],
    ["inconclusive runs_overlap", [1000, 1050, 980], [1040, 1100, 1020]],
    ["inconclusive shift_within_tie_band", [1000, 1001, 1002], [1030, 1040, 1060]],
    ["inconclusive gap_too_small", [1000, 1030, 1060], [1070, 1140, 1150]],
    ["inconclusive shift_within_tie_band gap_too_small", [1000, 1040, 1060], [1061, 1065, 1090]],
    ["inconclusive runs_too_spread", [1000, 790, 900], [2000, 2010, 2020]],
    ["inconclusive runs_too_spread", [2000, 2010, 2020], [1000, 790, 900]],
  ])("[OUR-BEF-09] [OUR-BEF-10] [OUR-BEF-11] [OUR-BEF-12] %s", (verdict, before, after) => {
    expect(told(judgeScores(before, after))).toBe(verdict);
  });

  it.each([
    ["no_material_change", 950.01],
    ["degraded", 950],
    ["degraded", 940],
    ["improved", 1052.64],
    ["no_material_change", 1052.62],
  ])(
    "[OUR-BEF-09] %s by steady runs of 1000 and %s: the band is a twentieth of the larger",
    (verdict, after) => {
      expect(told(judgeScores([1000, 1000, 1000], [after, after, after]))).toBe(verdict);
    },
  );

  it.each([
    ["improved", 1025.65],
    ["inconclusive gap_too_small", 1025.63],
  ])(
    "[OUR-BEF-09] %s with a nearest run of %s: the gap is more than a fortieth of the larger",
    (verdict, nearest) => {
      expect(told(judgeScores([990, 990, 1000], [nearest, 1060, 1070]))).toBe(verdict);
    },
  );

  it("[OUR-BEF-09] a shift of less than one point is none", () => {
    expect(told(judgeScores([8, 8, 8], [8.5, 8.5, 8.5]))).toBe("inconclusive shift_within_tie_band");
    expect(told(judgeScores([8, 8, 8], [9, 9, 9]))).toBe("improved");
    expect(told(judgeScores([10, 10, 10], [11, 11, 11]))).toBe("improved");
  });

  it.each([
    ["runs_too_spread", 799.9],
    ["improved", 800],
  ])(
    "[OUR-BEF-11] %s with a slowest run of %s: a spread of exactly a fifth is not too wide",
    (verdict, least) => {
      expect(told(judgeScores([1000, 1000, least], [1500, 1500, 1500]))).toContain(verdict);
    },
  );

  it("[OUR-BEF-11] the effect is told where the runs are too spread", () => {
    const { effect } = judgeScores([1000, 500, 900], [2000, 2010, 2020]);
    expect(effect.shift).toBeGreaterThan(2);
  });

  it("[OUR-BEF-08] p is exact where runs tie", () => {
    expect(judgeScores([100, 102, 102], [102, 103, 104]).effect.pTwoSided).toBeCloseTo(0.3, 12);
  });

  it("[OUR-BEF-08] more runs need less than complete separation, at the same level", () => {
    const nine = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    const before = [...nine.map((step) => 1000 + step), 1180];
    const after = [...nine.map((step) => 1110 + step), 1119];
    expect(judgeScores(before, after)).toMatchObject({ decision: "improved", effect: { pairsHigher: 90 } });
  });
});

describe("properties", () => {
  const scores = fc
    .tuple(
      fc.integer({ min: 400, max: 5000 }),
      fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 3, maxLength: 10 }),
    )
    .map(([level, extra]) => extra.map((percent) => level + Math.round((level * percent) / 100)));
  const pair = fc
    .tuple(scores, scores, fc.constantFrom(0.85, 0.93, 1, 1.06, 1.2))
    .map(([before, after, factor]) => {
      const level = (before[0] ?? 1) / (after[0] ?? 1);
      return [before, after.map((value) => Math.max(1, Math.round(value * level * factor)))] as const;
    });

  it("[OUR-BEF-13] swapping the sides mirrors the verdict", () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const [there, back] = [judgeScores(before, after), judgeScores(after, before)];
        expect(back.decision).toBe(mirrored[there.decision]);
        expect(back.refusals).toEqual(there.refusals);
        expect(back.effect.shift * there.effect.shift).toBeCloseTo(1, 9);
        expect(back.effect.pTwoSided).toBe(there.effect.pTwoSided);
      }),
      { numRuns: randomCases(500) },
    );
  });

  it("[OUR-BEF-13] scaling both sides changes nothing", () => {
    fc.assert(
      fc.property(pair, fc.integer({ min: 2, max: 20 }), ([before, after], factor) => {
        const scaled = judgeScores(
          before.map((value) => value * factor),
          after.map((value) => value * factor),
        );
        expect(scaled).toEqual(judgeScores(before, after));
      }),
      { numRuns: randomCases(500) },
    );
  });

  it("[OUR-BEF-13] the order of runs within a side means nothing", () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        expect(judgeScores(before.toReversed(), after.toSorted())).toEqual(judgeScores(before, after));
      }),
    );
  });

  it("[OUR-BEF-13] a conclusion holds to every threshold, and a refusal concludes nothing", () => {
    const met = { improved: 0, degraded: 0, no_material_change: 0, inconclusive: 0 };
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const { decision, refusals, effect } = judgeScores(before, after);
        met[decision] += 1;
        expect(refusals.length === 0).toBe(decision !== "inconclusive");
        if (decision === "inconclusive") return;
        const [low, high] = effect.interval.map(shareOfLarger);
        for (const values of [before, after])
          expect(spreadOf(values)).toBeLessThanOrEqual(thresholds.max_spread_percent / 100 + 1e-9);
        if (decision === "no_material_change") {
          expect(Math.max(Math.abs(low ?? 1), Math.abs(high ?? 1))).toBeLessThan(0.05);
          return;
        }
        const sign = decision === "improved" ? 1 : -1;
        expect(sign * shareOfLarger(effect.shift)).toBeGreaterThanOrEqual(0.05 - 1e-9);
        expect(sign * ((sign > 0 ? low : high) ?? 0)).toBeGreaterThan(0.025);
        // Equal scores make it coarser: the interval alone decides.
        const differ = new Set([...before, ...after]).size === before.length + after.length;
        if (differ) expect(effect.pTwoSided).toBeLessThanOrEqual(0.1 + 1e-12);
        expect(effect.pairsHigher > effect.pairs / 2).toBe(sign > 0);
      }),
      // All of them also in the usual run: of a fifth, the rarest decision is made some 23 times.
      { numRuns: 2000 },
    );
    for (const count of Object.values(met)) expect(count).toBeGreaterThan(20);
  });

  it("[OUR-BEF-13] faster runs after make no verdict worse: improved stays, degraded does not appear", () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const { decision } = judgeScores(before, after);
        const faster = judgeScores(
          before,
          after.map((value) => value * 1.1),
        ).decision;
        if (decision === "improved") expect(faster).toBe("improved");
        if (decision !== "degraded") expect(faster).not.toBe("degraded");
      }),
      { numRuns: randomCases(500) },
    );
  });
});
