import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toTimestamp } from "../../../src/core/time.ts";
import {
  day,
  epoch,
  naiveBuckets,
  naiveGaps,
  naivePercentile,
  sample,
  seriesOf,
  sumOf,
  type Point,
} from "./naive-series.ts";
import { randomCases } from "../../support/long.ts";

/** Samples of a period, in order of time, and stretches without any. */
const anyPoints = (maxLength: number, value: fc.Arbitrary<number>): fc.Arbitrary<Point[]> => {
  const step = fc.oneof(
    { weight: 12, arbitrary: fc.constant(30_000) },
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 700_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 40 * day }) },
  );
  const point = fc.record({ step, value: fc.option(value, { freq: 8 }) });
  return fc.array(point, { maxLength }).map((points) => {
    let at = epoch - 300 * day;
    const made: Point[] = [];
    for (const { step, value } of points) {
      at += step;
      if (at >= epoch) break;
      made.push(sample(at, value));
    }
    return made;
  });
};

describe("beside an obvious model", () => {
  const measured = fc.double({ min: 0, max: 1e12, noNaN: true });
  const whole = fc.integer({ min: 0, max: 50 });
  const from = epoch - 300 * day;

  const property = (
    value: fc.Arbitrary<number>,
    check: (points: Point[], maxPoints: number, chunk: number) => void,
  ) =>
    fc.assert(
      fc.property(
        anyPoints(400, value),
        fc.integer({ min: 10, max: 120 }),
        fc.integer({ min: 1, max: 150 }),
        (points, maxPoints, chunk) => check(points, maxPoints, chunk),
      ),
      { numRuns: randomCases(300) },
    );

  it("[MET-04] [OUR-MET-05] [OUR-MET-06] has the model's buckets, never more than asked for, whose least and largest values hide no spike", () => {
    property(measured, (points, maxPoints, chunk) => {
      const answer = seriesOf(points, { maxPoints, chunk, from });
      const { seconds, buckets } = naiveBuckets(points, maxPoints);
      expect(answer.bucket_seconds).toBe(seconds);
      expect(answer.points_returned).toBeLessThanOrEqual(maxPoints);
      expect(answer.columns["time"]).toEqual(buckets.map(({ start }) => toTimestamp(start)));
      for (const [index, { values }] of buckets.entries()) {
        const value = answer.columns["mspt"]?.[index];
        if (values.length === 0) {
          expect(value).toBeNull();
          continue;
        }
        const [min, max] = [Math.min(...values), Math.max(...values)];
        if (seconds !== null) {
          expect(answer.columns_min?.["mspt"]?.[index]).toBe(min);
          expect(answer.columns_max?.["mspt"]?.[index]).toBe(max);
        }
        expect(value).toBeGreaterThanOrEqual(min);
        expect(value).toBeLessThanOrEqual(max);
        expect(Math.abs(Number(value) - sumOf(values) / values.length)).toBeLessThan(0.001 + max * 1e-12);
      }
    });
  });

  it("[OUR-MET-06] adds counters up to the same total in any buckets", () => {
    property(whole, (points, maxPoints, chunk) => {
      const { columns } = seriesOf(points, { field: "ticks_over_50ms", maxPoints, chunk, from });
      const total = sumOf((columns["ticks_over_50ms"] ?? []).map(Number));
      expect(total).toBe(sumOf(points.flatMap(({ values }) => values)));
    });
  });

  it("[MET-04] [OUR-MET-07] has the model's summary, whatever the reduction and the chunks", () => {
    property(measured, (points, maxPoints, chunk) => {
      const { summary } = seriesOf(points, { maxPoints, chunk, from });
      const values = points.flatMap(({ values }) => values);
      const { min, max, avg, p5, p95, count } = summary["mspt"] ?? { count: -1 };
      expect(count).toBe(values.length);
      if (values.length === 0) return;
      expect([min, max]).toEqual([Math.min(...values), Math.max(...values)]);
      expect(Math.abs(Number(avg) - sumOf(values) / values.length)).toBeLessThan(0.001 + Number(max) * 1e-12);
      expect([p5, p95]).toEqual([naivePercentile(values, 0.05), naivePercentile(values, 0.95)]);
    });
  });

  it("[MET-05] [OUR-MET-09] has the model's gaps", () => {
    property(whole, (points, maxPoints, chunk) => {
      const gaps = seriesOf(points, { maxPoints, chunk, from }).gaps.map(({ from, to }) => ({
        from: Date.parse(from),
        to: Date.parse(to),
      }));
      expect(gaps).toEqual(naiveGaps(points, from, epoch));
    });
  });
});
