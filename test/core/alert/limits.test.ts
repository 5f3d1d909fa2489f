import { describe, expect, it } from "vitest";
import type { SampleMetric } from "../../../src/core/alert/alert-rule.ts";
import { isGood, recoveryLevel, ruleProblem } from "../../../src/core/alert/limits.ts";

describe("the value from which an alert recovers", () => {
  it.each([
    ["tps", "below", 18, 18.2],
    ["tps", "below", 17.9, 18.1],
    ["tps", "below", 0.1, 0.3],
    ["tps", "above", 19, 18.8],
    ["mspt", "above", 50, 49],
    ["mspt", "below", 5, 6],
    ["cpu_usage", "above", 90, 88],
    ["cpu_usage", "below", 10, 12],
    ["ram_used_mb", "above", 4000, 3960],
    ["ram_used_mb", "below", 4000, 4040],
    ["disk_free_mb", "below", 5120, 5632],
    ["player_count", "above", 100, 100],
    ["entity_count", "below", 50, 50],
  ] as const)("[OUR-ALR-05] [OUR-HLT-125] %s %s %f: %f", (metric, condition, threshold, level) => {
    expect(recoveryLevel(metric, condition, threshold)).toBe(level);
    expect(isGood(metric, condition, threshold, level)).toBe(true);
    const short = condition === "below" ? level - 0.01 : level + 0.01;
    expect(isGood(metric, condition, threshold, short)).toBe(false);
  });

  it.each([
    ["tps", "below", 20, 20],
    ["tps", "below", 19.9, 20],
    ["cpu_usage", "below", 99, 100],
    ["tps", "above", 0.1, 0],
    ["mspt", "above", 0.5, 0],
    ["cpu_usage", "above", 1, 0],
    ["player_count", "above", 0, 0],
  ] as const)("[OUR-ALR-05] is never beyond what the metric can reach: %s %s %f: %f", (...row) => {
    const [metric, condition, threshold, level] = row;
    expect(recoveryLevel(metric, condition, threshold)).toBe(level);
  });
});

describe("a rule as a whole", () => {
  const highest: Record<SampleMetric, number> = {
    tps: 20,
    mspt: 60_000,
    player_count: 10_000_000,
    entity_count: 10_000_000,
    ram_used_mb: 16_777_216,
    cpu_usage: 100,
    disk_free_mb: 1_073_741_824,
  };

  it.each(Object.entries(highest) as [SampleMetric, number][])(
    "[ALR-08] [ALR-09] [OUR-ALR-23] %s takes a threshold from 0 to %d",
    (metric, most) => {
      for (const condition of ["below", "above"] as const) {
        expect(ruleProblem({ metric, condition, threshold: 0 })).toBeNull();
        expect(ruleProblem({ metric, condition, threshold: most })).toBeNull();
        for (const threshold of [-1, most + 1, Number.NaN, Number.POSITIVE_INFINITY, null, undefined]) {
          const problem = ruleProblem({ metric, condition, threshold });
          expect(problem?.field).toBe("threshold");
          expect(problem?.message).toContain(`number from 0 to ${most} when metric is ${metric}.`);
        }
      }
      expect(ruleProblem({ metric, condition: null, threshold: 1 })).toEqual({
        field: "condition",
        message: `condition takes below or above when metric is ${metric}.`,
      });
      expect(ruleProblem({ metric, threshold: 1 })?.field).toBe("condition");
    },
  );

  it("[OUR-ALR-23] counts take whole numbers alone", () => {
    const counted = (metric: SampleMetric) => ruleProblem({ metric, condition: "above", threshold: 1.5 });
    expect(counted("player_count")?.message).toBe(
      "threshold takes a whole number from 0 to 10000000 when metric is player_count.",
    );
    expect(counted("entity_count")?.field).toBe("threshold");
    expect(counted("disk_free_mb")?.field).toBe("threshold");
    for (const metric of ["tps", "mspt", "ram_used_mb", "cpu_usage"] as const)
      expect(counted(metric)).toBeNull();
  });

  it("[ALR-10] [OUR-ALR-23] offline takes neither condition nor threshold", () => {
    expect(ruleProblem({ metric: "offline" })).toBeNull();
    expect(ruleProblem({ metric: "offline", condition: null, threshold: null })).toBeNull();
    expect(ruleProblem({ metric: "offline", condition: "below", threshold: null })).toEqual({
      field: "condition",
      message: "condition takes null, or is left out, when metric is offline.",
    });
    expect(ruleProblem({ metric: "offline", condition: null, threshold: 0 })?.field).toBe("threshold");
  });
});
