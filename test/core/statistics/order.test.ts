import fc from "fast-check";
import { expect, it } from "vitest";
import { median, medianOfFew } from "../../../src/core/statistics/order.ts";

it("the median of a few values is the median of as many, and sorts them", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1 }), (values) => {
      const few = [...values];
      // The sum of 0 and -0 depends on their order.
      expect(medianOfFew(few) + 0).toBe(median(values) + 0);
      expect(few.every((value, index) => index === 0 || (few[index - 1] ?? 0) <= value)).toBe(true);
    }),
  );
});
