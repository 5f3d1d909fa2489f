import fc from "fast-check";
import { expect, it } from "vitest";
import { nearestRank, nearestRanks } from "../../../src/core/metric/nearest-rank.ts";
import { naivePercentile } from "./naive-series.ts";
import { randomCases } from "../../support/long.ts";

it("[OUR-MET-07] finds the nearest rank of any values as sorting does", () => {
  const value = fc.oneof(
    fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
    fc.integer({ min: 0, max: 20 }),
    fc.constantFrom(0, 20, 19.99, 5e-324, 1.7976931348623157e308),
  );
  fc.assert(
    fc.property(
      fc.array(value, { maxLength: 500 }),
      fc.double({ min: 0.001, max: 1, noNaN: true }),
      (values, share) => {
        const sorted = values.map((each) => each + 0);
        expect(nearestRank(Float64Array.from(sorted), share)).toBe(naivePercentile(sorted, share));
      },
    ),
    { numRuns: randomCases(500) },
  );
});

it("[OUR-MET-07] finds it among many values too, which are not sorted", () => {
  const value = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 50, maxLength: 100 }),
      fc.double({ min: 0.001, max: 1, noNaN: true }),
      (some, share) => {
        const values = Array.from(
          { length: 70_000 },
          (_, index) => (some[index % some.length] ?? 0) / (1 + (index % 7)),
        );
        expect(nearestRank(Float64Array.from(values), share)).toBe(naivePercentile(values, share));
      },
    ),
    { numRuns: 25 },
  );
});

it("[OUR-MET-07] finds several ranks at once, also of values in an order that is unlucky for partitions", () => {
  const length = 60_000;
  const shapes: Record<string, (index: number) => number> = {
    rising: (index) => index,
    falling: (index) => length - index,
    equal: () => 20,
    organ: (index) => Math.min(index, length - index),
    saw: (index) => index % 7,
    killer: (index) => (index % 2 === 0 ? index : length / 2 + index / 2),
  };
  for (const [name, shape] of Object.entries(shapes)) {
    const values = Float64Array.from({ length }, (_, index) => shape(index));
    const shares = [0.05, 0.5, 0.95, 1];
    const steps = nearestRanks(values, shares);
    const from = process.cpuUsage();
    const found = steps.next();
    expect(process.cpuUsage(from).user / 1000, name).toBeLessThan(500);
    expect(found).toEqual({ done: true, value: shares.map((share) => naivePercentile([...values], share)) });
  }
});

it("[OUR-MET-07] leaves the values as they were", () => {
  const values = Float64Array.of(3, 1, 2);
  expect(nearestRank(values, 0.5)).toBe(2);
  expect([...values]).toEqual([3, 1, 2]);
});
