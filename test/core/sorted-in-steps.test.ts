import * as fc from "fast-check";
import { expect, it } from "vitest";
import { sortedInSteps } from "../../src/core/sorted-in-steps.ts";

it("[OUR-OVR-08] a sort in steps gives what a sort at once gives, and keeps the order of equal values", () => {
  const pairs = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.nat()), { maxLength: 60 });
  const byFirst = ([one]: [number, number], [other]: [number, number]): number => one - other;
  fc.assert(
    fc.property(pairs, fc.integer({ min: 1, max: 7 }), (values, step) => {
      const steps = sortedInSteps(values, byFirst, step);
      let next = steps.next();
      while (!next.done) next = steps.next();
      expect(next.value).toEqual(values.toSorted(byFirst));
    }),
  );
});
