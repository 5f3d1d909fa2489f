import fc from "fast-check";
import { expect, it } from "vitest";
import { leadFrom, tieEdges } from "../../../src/core/report/compare.ts";
import { randomCases } from "../../support/long.ts";

const score = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 20_000 }));

it("[OUR-RPG-11] a value ties exactly when it lies between the edges", () => {
  fc.assert(
    fc.property(score, score, (base, other) => {
      const { below, above } = tieEdges(base);
      const percent = ((other - base) / base) * 100;
      // Beside an edge the two ways to work it out may round apart.
      fc.pre(Math.abs(percent - below) > 1e-9 && Math.abs(percent - above) > 1e-9);
      const ties = Math.abs(other - base) < leadFrom(base, other);
      expect(percent > below && percent < above).toBe(ties);
    }),
    { numRuns: randomCases(5000) },
  );
});

it("[OUR-RPG-11] the band is a share of the larger value, so it reaches further up than down", () => {
  expect(tieEdges(1000)).toEqual({ below: -5, above: 500 / 95 });
  expect(tieEdges(10)).toEqual({ below: -10, above: 10 });
});
