import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reportComparisonOf, ReportComparison } from "../../../src/core/report/compare.ts";
import type { ReportDetail } from "../../../src/core/report/report.ts";
import { acceptedPayload, reportDetail } from "../../support/payload.ts";
import type { Json } from "../../support/payload.ts";

type Score = number | null;
const keys = [
  "total",
  "single_core",
  "gameplay",
  "hardware",
  "memory",
  "disk",
  "multi_core",
  "exploration",
  "entities",
  "mechanics",
] as const;

/** A report with these scores in the order of `keys`; further ones are 1000. */
function scored(values: readonly Score[], row: Partial<ReportDetail> = {}): ReportDetail {
  const at = (key: (typeof keys)[number]): Score => {
    const value = values[keys.indexOf(key)];
    return value === undefined ? 1000 : value;
  };
  return reportDetail(acceptedPayload(), {
    scores: {
      total: at("total"),
      single_core: at("single_core"),
      hardware: at("hardware"),
      gameplay: at("gameplay"),
    },
    sub_scores: {
      memory: at("memory"),
      disk: at("disk"),
      multi_core: at("multi_core"),
      exploration: at("exploration"),
      entities: at("entities"),
      mechanics: at("mechanics"),
    },
    ...row,
  });
}

const compareTotals = (base: Score, other: Score) => {
  const { metrics, summary } = reportComparisonOf(scored([base]), scored([other]));
  return { row: metrics[0], summary };
};

const uploaded = (overrides: Json, row: Partial<ReportDetail> = {}) =>
  reportDetail(acceptedPayload(overrides), row);

describe("shape", () => {
  it("[CMP-02] [CMP-09] [CMP-16] [CMP-20] has the documented fields, in their order", () => {
    const { metrics, summary, caveats } = ReportComparison.shape;
    expect(Object.keys(ReportComparison.shape).join(" ")).toBe(
      "comparable blocked_by tie_band metrics summary caveats reports",
    );
    expect(Object.keys(metrics.element.shape).join(" ")).toBe(
      "key higher_is_better base other leader outcome gap",
    );
    expect(Object.keys(summary.shape).join(" ")).toBe(
      "outcome leader decided_by base_leads other_leads ties undecided",
    );
    expect(Object.keys(caveats.element.shape)).toEqual(["code", "base", "other"]);
  });

  it("[CMP-02] only blocked_by may be null", () => {
    const nullable = Object.entries(ReportComparison.shape).filter(
      ([, part]) => part.safeParse(null).success,
    );
    expect(nullable.map(([key]) => key)).toEqual(["blocked_by"]);
  });

  it("[CMP-12] [CMP-17] outcomes are closed lists", () => {
    const { metrics, summary } = ReportComparison.shape;
    expect(metrics.element.shape.outcome.options).toEqual(["leader", "tie", "missing", "not_comparable"]);
    expect(summary.shape.outcome.options).toEqual(["leader", "tie", "undecided", "not_comparable"]);
  });

  it("[CMP-06] [CMP-10] [CMP-21] carries the band, the ten metrics in order, and both reports", () => {
    const [base, other] = [scored([900]), scored([1200])];
    const comparison = reportComparisonOf(base, other);
    expect(comparison.tie_band).toEqual({ absolute: 1, relative_percent: 5 });
    expect(comparison.metrics.map(({ key }) => key)).toEqual(keys);
    expect(comparison.metrics.every((row) => row.higher_is_better)).toBe(true);
    expect(comparison.reports).toEqual({ base, other });
    expect(ReportComparison.parse(comparison)).toEqual(comparison);
  });
});

describe("rows", () => {
  it.each([
    [1000, 950.01, "tie", null],
    [1000, 950, "leader", "base"],
    [950, 1000, "leader", "other"],
    [1000, 1052, "tie", null],
    [1000, 1053, "leader", "other"],
    [10, 10.9, "tie", null],
    [10, 11, "leader", "other"],
    [1, 1, "tie", null],
    [1, 2, "leader", "other"],
  ])("[CMP-07] [CMP-08] [CMP-11] calls %s against %s a %s", (base, other, outcome, leader) => {
    expect(compareTotals(base, other).row).toMatchObject({ base, other, outcome, leader });
  });

  it.each([
    [0, 1000],
    [1000, 0],
    [null, 1000],
    [1000, null],
    [0, 0],
    [null, null],
    [0, null],
  ])("[CMP-13] [CMP-09] calls %s against %s missing, shows both and quotes no gap", (base, other) => {
    const { row } = compareTotals(base, other);
    expect(row).toMatchObject({ base, other, outcome: "missing", leader: null, gap: null });
  });

  it.each([
    [1000, 1200, 200, 20],
    [1200, 1000, -200, -16.67],
    [3, 4, 1, 33.33],
    [1000, 1000, 0, 0],
    [1000, 1052, 52, 5.2],
    [1000.001, 1000, 0, 0],
  ])(
    "[CMP-14] [CMP-15] [OUR-CMP-02] quotes %s to %s as %s points and %s %% of base, on a tie too",
    (base, other, absolute, percent) => {
      expect(compareTotals(base, other).row?.gap).toStrictEqual({ absolute, percent });
    },
  );
});

describe("summary", () => {
  it("[CMP-18] [CMP-16] [OUR-CMP-08] the total alone decides, however many rows the other side leads", () => {
    const { summary } = reportComparisonOf(
      scored([1100]),
      scored([1000, 2000, 2000, 2000, 2000, 1000, 0, null]),
    );
    expect(summary).toEqual({
      outcome: "leader",
      leader: "base",
      decided_by: "total",
      base_leads: 1,
      other_leads: 4,
      ties: 3,
      undecided: 2,
    });
  });

  it("[CMP-17] [OUR-CMP-08] a tied total is decided, without a leader", () => {
    const { summary } = compareTotals(1000, 1001);
    expect(summary).toMatchObject({ outcome: "tie", leader: null, decided_by: "total", ties: 10 });
  });

  it("[CMP-17] [CMP-19] [CMP-03] two custom runs are comparable and undecided, which is no tie", () => {
    const custom = uploaded({ benchmark_mode: "custom" });
    const comparison = reportComparisonOf(custom, custom);
    expect(comparison).toMatchObject({ comparable: true, blocked_by: null });
    expect(comparison.summary).toEqual({
      outcome: "undecided",
      leader: null,
      decided_by: null,
      base_leads: 0,
      other_leads: 0,
      ties: 0,
      undecided: 10,
    });
  });

  it("[CMP-19] a missing total leaves the state undecided while other rows have verdicts", () => {
    const { summary } = reportComparisonOf(scored([0, 1000]), scored([1000, 2000]));
    expect(summary).toMatchObject({
      outcome: "undecided",
      decided_by: null,
      other_leads: 1,
      ties: 8,
      undecided: 1,
    });
  });
});

describe("scale", () => {
  it.each([
    ["benchmark_mode", { benchmark_mode: "stresslimit" }],
    ["algorithm_version", { algorithm_version: "2" }],
    ["benchmark_mode", { benchmark_mode: "stresslimit", algorithm_version: "2" }],
    ["benchmark_mode", { benchmark_mode: "custom", algorithm_version: null }],
  ] as const)(
    "[CMP-04] [CMP-05] [OUR-CMP-03] names %s when the other run has %o, and no winner anywhere",
    (blockedBy, row) => {
      const comparison = reportComparisonOf(scored([900, 0, null]), scored([1200, 1000], row));
      expect(comparison).toMatchObject({ comparable: false, blocked_by: blockedBy });
      expect(comparison.summary).toEqual({
        outcome: "not_comparable",
        leader: null,
        decided_by: null,
        base_leads: 0,
        other_leads: 0,
        ties: 0,
        undecided: 10,
      });
    },
  );

  it("[CMP-11] [OUR-CMP-01] every row of a blocked pair is not_comparable, also where a side is missing", () => {
    const { metrics } = reportComparisonOf(
      scored([900, 0, null]),
      scored([1200], { algorithm_version: "2" }),
    );
    for (const row of metrics)
      expect(row).toMatchObject({ outcome: "not_comparable", leader: null, gap: null });
    expect(metrics.slice(0, 3).map(({ base, other }) => [base, other])).toEqual([
      [900, 1200],
      [0, 1000],
      [null, 1000],
    ]);
  });
});

describe("properties", () => {
  const score = fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom<Score>(0, null) },
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 100_000 }) },
  );
  const report = fc
    .array(score, { minLength: 10, maxLength: 10 })
    .chain((values) =>
      fc.constantFrom("1", "2").map((algorithm_version) => scored(values, { algorithm_version })),
    );
  const swapped = (side: "base" | "other" | null) =>
    side === null ? null : side === "base" ? "other" : "base";

  it("[CMP-07] [CMP-14] [CMP-18] swapping the sides mirrors the comparison", () => {
    fc.assert(
      fc.property(report, report, (left, right) => {
        const [there, back] = [reportComparisonOf(left, right), reportComparisonOf(right, left)];
        expect(back.metrics.map(({ outcome }) => outcome)).toEqual(
          there.metrics.map(({ outcome }) => outcome),
        );
        expect(back.metrics.map(({ leader }) => swapped(leader))).toEqual(
          there.metrics.map(({ leader }) => leader),
        );
        for (const [index, row] of there.metrics.entries()) {
          const mirror = back.metrics[index]?.gap?.absolute;
          expect(mirror === undefined ? undefined : 0 - mirror).toBe(row.gap?.absolute);
        }
        expect(back.summary).toEqual({
          ...there.summary,
          leader: swapped(there.summary.leader),
          base_leads: there.summary.other_leads,
          other_leads: there.summary.base_leads,
        });
      }),
    );
  });

  it("[CMP-07] [CMP-08] the band is 5 % of the larger value: exactly there is a leader, nearer is a tie", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 5000 }), fc.boolean(), (twentieth, largerIsBase) => {
        const larger = twentieth * 20;
        const against = (smaller: number) =>
          largerIsBase ? compareTotals(larger, smaller) : compareTotals(smaller, larger);
        expect(against(larger - twentieth).row).toMatchObject({
          outcome: "leader",
          leader: largerIsBase ? "base" : "other",
        });
        expect(against(larger - twentieth + 1).row?.outcome).toBe("tie");
      }),
    );
  });

  it("[OUR-CMP-09] a report against itself ties wherever it has a score, without caveats", () => {
    fc.assert(
      fc.property(report, (self) => {
        const { comparable, metrics, caveats } = reportComparisonOf(self, self);
        expect(comparable).toBe(true);
        expect(caveats).toEqual([]);
        for (const { base, outcome } of metrics) expect(outcome).toBe(base ? "tie" : "missing");
      }),
    );
  });

  it("[CMP-16] [CMP-19] every row is counted exactly once", () => {
    fc.assert(
      fc.property(report, report, (left, right) => {
        const { base_leads, other_leads, ties, undecided } = reportComparisonOf(left, right).summary;
        expect(base_leads + other_leads + ties + undecided).toBe(10);
      }),
    );
  });
});
