import { describe, expect, it } from "vitest";
import { decide } from "../../../../src/core/server/regression/decision.ts";
import { isNewDrop } from "../../../../src/core/server/regression/news.ts";
import { windowDays } from "../../../../src/core/server/regression/thresholds.ts";
import { dice, normals } from "../../../support/dice.ts";
import { day } from "./runs.ts";

/** So many days at that share of the usual level. */
type Stretch = readonly [days: number, level: number];

/** One trial: a run every few days through these stretches, with 3 % of noise. */
function runs(seed: number, every: number, stretches: readonly Stretch[]) {
  const normal = normals(dice(seed));
  const levels = stretches.flatMap(([days, level]) => Array.from({ length: days }, () => level));
  return levels.flatMap((level, index) =>
    index % every === 0 ? [{ day: index * day, value: 5000 * level * Math.exp(0.03 * normal()) }] : [],
  );
}

/** Notices, and turns of the verdict to a regression or to another beginning, asked after every run of a full window. */
function told(series: ReturnType<typeof runs>) {
  let [notifiedAt, notices]: [number | null, number] = [null, 0];
  let [before, turns]: [number | null, number] = [null, 0];
  for (const { day: now } of series) {
    if (now < windowDays * day) continue;
    const window = series.filter((point) => point.day <= now && point.day > now - windowDays * day);
    const { verdict, recent } = decide(window);
    const since = verdict === "regression" ? (recent[0]?.day ?? null) : null;
    if (since !== null && since !== before) turns += 1;
    before = since;
    if (since === null || !isNewDrop(since, notifiedAt, now)) continue;
    notifiedAt = now;
    notices += 1;
  }
  return { notices, turns };
}

/** How many of so many trials had how many notices, and in how many the verdict turned more often than that. */
function tally(trials: number, every: number, stretches: readonly Stretch[]) {
  const notices: Record<number, number> = {};
  let restless = 0;
  for (let seed = 1; seed <= trials; seed += 1) {
    const outcome = told(runs(seed, every, stretches));
    notices[outcome.notices] = (notices[outcome.notices] ?? 0) + 1;
    if (outcome.turns > outcome.notices) restless += 1;
  }
  console.log(
    `${trials} trials, by notices: ${JSON.stringify(notices)}; more turns than notices in ${restless}`,
  );
  return { notices, restless };
}

describe("what of regressions is news", () => {
  it("[OUR-REG-14] a drop of 12 % that lasts for 60 days of daily runs is told once, in every trial", () => {
    expect(
      tally(10, 1, [
        [90, 1],
        [60, 0.88],
      ]).notices,
    ).toEqual({ 1: 10 });
  });

  it("[OUR-REG-14] two drops with a recovery between them are told once each, though the verdict turns more often", () => {
    const { notices, restless } = tally(16, 3, [
      [90, 1],
      [30, 0.88],
      [30, 1],
      [60, 0.88],
    ]);
    expect(notices).toEqual({ 2: 16 });
    expect(restless).toBeGreaterThan(3);
    expect(
      tally(3, 1, [
        [90, 1],
        [15, 0.88],
        [15, 1],
        [15, 0.88],
      ]).notices,
    ).toEqual({ 2: 3 });
  });

  it("[OUR-REG-14] a second drop is told when the first has become the norm", () => {
    expect(
      tally(8, 3, [
        [90, 1],
        [45, 0.88],
        [105, 0.76],
      ]).notices,
    ).toEqual({ 2: 8 });
  });

  it("[OUR-REG-14] a notice that lies ahead of the clock silences nothing", () => {
    expect(isNewDrop(5 * day, 400 * day, 6 * day)).toBe(true);
    expect(isNewDrop(5 * day, 6 * day + 1000, 6 * day)).toBe(false);
  });
});
