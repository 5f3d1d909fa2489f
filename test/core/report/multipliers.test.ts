import { describe, expect, it } from "vitest";
import { rankBadge, scoreReport } from "../../../src/core/report/scoring.ts";
import { acceptedPayload } from "../../support/payload.ts";
import type { Json, TestChanges } from "../../support/payload.ts";

const score = (overrides: Json = {}, tests: TestChanges = {}) =>
  scoreReport(acceptedPayload(overrides, tests));

describe("multipliers", () => {
  it.each([
    [0, 0.9],
    [150, 0.95],
    [300, 1],
    [86_400, 1],
    [null, null],
  ])("[OUR-SCO-08] a gameplay phase of %s s multiplies by %s", (duration_seconds, factor) => {
    expect(score({ ticks: { duration_seconds } }).multipliers.duration).toBe(factor);
  });

  it.each([
    [0, 1],
    [6000, 1],
    [9000, 0.99],
    [36_000, 0.9],
    [500_000, 0.9],
    [null, null],
  ])("[OUR-SCO-09] %s ms of GC pauses in 600 s multiply by %s", (pause_total_ms, factor) => {
    expect(score({ gc: { pause_total_ms } }).multipliers.gc).toBe(factor);
  });

  it("[OUR-SCO-09] a run without a length has no GC share", () => {
    expect(score({ ticks: { duration_seconds: 0 } }).multipliers.gc).toBeNull();
    expect(score({ ticks: undefined }).multipliers).toEqual({
      synergy_bonus: 1.05,
      duration: null,
      gc: null,
      stability_bonus: null,
    });
  });

  it.each([
    [12_000, 0, 1.05],
    [12_000, 300, 1.025],
    [12_000, 600, 1],
    [12_000, 12_000, 1],
    [600, 0, 1.05],
    [599, 0, null],
    [12_000, null, null],
    [null, 0, null],
  ])("[OUR-SCO-10] of %s ticks %s late ones give a bonus of %s", (count, over_50ms, factor) => {
    expect(score({ ticks: { count, over_50ms } }).multipliers.stability_bonus).toBe(factor);
  });

  it("[OUR-SCO-07] the synergy bonus grows from half of the hardware score to the whole", () => {
    const synergy = (value: number) =>
      score({}, { cpu_multi_core: { metrics: { ops_per_second: value } } }).multipliers.synergy_bonus;
    expect(synergy(6_000_000)).toBe(1.05);
    expect(synergy(600_000)).toBe(1);
    // Multi core 500 makes hardware 870.55: (500 / 870.55 − 0.5) / 0.5 of 5 %.
    expect(synergy(3_000_000)).toBe(1.007);
    expect(score({}, { cpu_multi_core: null }).multipliers.synergy_bonus).toBeNull();
  });
});

it.each([
  [0, null],
  [1, "wood"],
  [299, "wood"],
  [300, "stone"],
  [599, "stone"],
  [600, "iron"],
  [899, "iron"],
  [900, "gold"],
  [1299, "gold"],
  [1300, "diamond"],
  [1899, "diamond"],
  [1900, "netherite"],
])("[OUR-SCO-15] a total of %s wears %s", (total, badge) => {
  expect(rankBadge(total)).toBe(badge);
});
