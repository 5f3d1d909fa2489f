import { expect, it } from "vitest";
import { changeRatio, dropHolds, noiseOf, onsetOf } from "../../../../src/core/server/regression/walk.ts";
import { isLong } from "../../../support/long.ts";
import { onset } from "./by-the-letter.ts";
import { compareWithLetter, declining, word } from "./declining.ts";

it("[OUR-REG-05] [OUR-REG-06] [OUR-REG-09] [OUR-REG-16] random series are judged as the rules read", () => {
  const { met, differing } = compareWithLetter(isLong ? 4000 : 2000);
  expect(differing).toEqual([]);
  for (const reason of ["regression", "stable", "awaiting_confirmation", "trend_down", "drop_not_excluded"])
    expect(met.get(reason), reason).toBeGreaterThan(30);
});

it("[OUR-REG-05] [OUR-REG-09] a decline that is slow against its own noise is a trend: the drop holds on one point alone", () => {
  // The shift is -5.2 % on the tenth point and -5.3 % on the eleventh; 1.8 times the noise before it is 5.0 % and 5.7 %.
  const decline = [5019, 4983, 4891, 4858, 4774, 4758, 4703, 4636, 4630, 4567, 4557];
  expect([8, 9, 10, 11].map((count) => dropHolds(decline.slice(0, count)))).toEqual([
    false,
    false,
    true,
    false,
  ]);
  expect(word(decline.slice(0, 10))).toBe("awaiting_confirmation");
  expect(word(decline)).toBe("trend_down");
});

it("[OUR-REG-07] a drop begins where two levels fit best, three to ten points back", () => {
  for (const values of declining(isLong ? 2000 : 800)) {
    const at = onsetOf(values);
    const logs = values.map(Math.log);
    expect(at, values.join(" ")).toBe(onset(logs));
    expect(values.length - at).toBeGreaterThanOrEqual(3);
    expect(values.length - at).toBeLessThanOrEqual(10);
  }
});

it("[OUR-REG-16] of an even number of pairs the two in the middle are averaged, on logarithms", () => {
  // One point against two: the ratios are 0.81 and 1, their middle is 0.9.
  expect(changeRatio([1000], [810, 1000])).toBeCloseTo(0.9, 12);
  expect(noiseOf([1000, 1000 * Math.E])).toBeCloseTo(1.4826 / 2, 12);
});

it("[OUR-REG-17] a trend is looked for at quarters, rounded down, with five points on each side", () => {
  // Of eleven points only the half, five against six, has five on each side; the drop holds on none.
  const flat = [5000, 5200, 4800, 5150, 4850];
  const lower = [4800, 4600, 4760, 4650, 4700, 4720];
  expect(word([...flat, ...lower])).toBe("trend_down");
  expect(word([...flat, 5000, ...lower.slice(1)])).not.toBe("trend_down");
});
