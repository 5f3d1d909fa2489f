import { expect, it } from "vitest";
import { leastToOpen, stepUnusualLevel, unseenLevelState } from "../../../src/core/health/unusual-level.ts";
import { dice } from "../../support/dice.ts";
import { bandFrom, baselineWith, five, start } from "./buckets.ts";

const cases = 4000;
const settings = { leastRatio: 1.5, leastExcess: 100 };
const bands = [0, 1, 5];

it("[OUR-HLT-44] no finding opens while every sample is less than the least that opens one", () => {
  const random = dice(5);
  const between = (from: number, to: number): number => from + (to - from) * random();
  let opened = 0;
  for (let round = 0; round < cases; round += 1) {
    const kept = bands
      .filter(() => random() < 0.6)
      .map((playersFrom) => {
        const median = random() < 0.1 ? 0 : between(0, 400);
        return bandFrom(playersFrom, { median, p98: median * between(1, 1.8) });
      });
    const baseline = baselineWith(...kept);
    const least = leastToOpen(settings, baseline);
    // Around what opens a finding, so that both happen often.
    const [low, high] = [between(0.8, 1.1), between(1, 1.3)];
    const buckets = Array.from({ length: 15 }, (_, index) => {
      const value = Number.isFinite(least) ? least * between(low, high) : between(0, 1000);
      return { at: start + index * five, value: Math.round(value * 100) / 100, players: between(0, 7) };
    });
    // The median of a bucket was rounded: its samples may be half a hundredth less.
    const most = Math.max(...buckets.map(({ value }) => value)) - 0.005;
    const { changes } = stepUnusualLevel(settings, unseenLevelState, buckets, baseline);
    const opens = changes.some(({ kind }) => kind === "opened");
    if (opens) opened += 1;
    expect(opens && most < least).toBe(false);
  }
  expect(opened).toBeGreaterThan(cases / 20);
});

it("[OUR-HLT-44] a constant level of so much opens one in a single band", () => {
  const baseline = baselineWith(bandFrom(5, { median: 1000, p98: 1200 }));
  const level = leastToOpen(settings, baseline) + 0.01;
  const buckets = Array.from({ length: 9 }, (_, index) => ({
    at: start + index * five,
    value: level,
    players: 6,
  }));
  const { changes } = stepUnusualLevel(settings, unseenLevelState, buckets, baseline);
  expect(changes.map(({ kind }) => kind)).toEqual(["opened"]);
});
