import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { apportion, heaviest, pctAtMost, pctOf } from "../../../src/core/profile/percent.ts";

const parts = fc.array(fc.nat(1000), { minLength: 1, maxLength: 60 });
const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const hundredths = (pct: number): number => Math.round(pct * 100);

describe("percent", () => {
  it.each([
    [1, 3, 33.33, 33.34],
    [2, 3, 66.67, 66.67],
    [3, 3, 100, 100],
    [29, 100, 29, 29],
    [1, 16_000, 0.01, 0.01],
    [1, 20_000, 0.01, 0.01],
    [1, 20_001, 0, 0.01],
    [0, 7, 0, 0],
    [1, 0, 0, 0],
  ])("[OUR-PRO-08] of %s in %s is %s, a half rounded up, and %s at most", (part, of, pct, most) => {
    expect([pctOf(part, of), pctAtMost(part, of)]).toEqual([pct, most]);
  });

  it("[OUR-PRO-08] of parts of one whole add up to their sum's, each within 0.01 of its own, in the same order", () => {
    expect(apportion([1, 1, 1], 3)).toEqual([33.34, 33.33, 33.33]);
    expect(apportion([2, 1], 4)).toEqual([50, 25]);
    expect(apportion([], 4)).toEqual([]);
    expect(apportion([0, 0], 0)).toEqual([0, 0]);
    fc.assert(
      fc.property(parts, fc.nat(500), (parts, missing) => {
        const whole = sumOf(parts) + missing;
        const pcts = apportion(parts, whole);
        if (whole > 0) {
          expect(sumOf(pcts.map(hundredths))).toBe(Math.floor((sumOf(parts) * 10_000) / whole));
        }
        for (const [index, part] of parts.entries()) {
          const pct = pcts[index] ?? 0;
          expect(hundredths(pct) / 100).toBe(pct);
          expect(Math.abs(pct - (whole > 0 ? (part * 100) / whole : 0))).toBeLessThan(0.0101);
          for (const [at, other] of parts.entries())
            if (part > other) expect(pct).toBeGreaterThanOrEqual(pcts[at] ?? 0);
        }
      }),
    );
  });
});

describe("heaviest", () => {
  it("[OUR-PRO-09] takes the first ones as sorting all would", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { maxLength: 80 }), fc.nat(40), (values, most) => {
        const rows = values.map((weight, place) => ({ weight, place }));
        const compare = (one: (typeof rows)[0], other: (typeof rows)[0]): number =>
          other.weight - one.weight || one.place - other.place;
        expect(heaviest(rows, most, compare)).toEqual(rows.toSorted(compare).slice(0, most));
      }),
    );
  });
});
