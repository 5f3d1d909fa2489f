import { describe, expect, it } from "vitest";
import { presetPeriod } from "../../../src/core/metric/period.ts";
import { seriesFields, type SeriesField } from "../../../src/core/metric/fields.ts";
import { aggregationOf } from "../../../src/core/metric/series-field.ts";
import { toTimestamp } from "../../../src/core/time.ts";
import { day, epoch, sample, seriesOf, type Point } from "./naive-series.ts";

/** A sample every 30 s for the last `hours`, each with the value of its index. */
const regular = (hours: number, value: (index: number) => number | null = () => 20): Point[] =>
  Array.from({ length: hours * 120 }, (_, index) =>
    sample(epoch - hours * 3_600_000 + index * 30_000, value(index)),
  );

describe("reduction", () => {
  it("[MET-04] [OUR-MET-05] gives the points as they are where they are no more than asked for", () => {
    const points = regular(1, (index) => 10 + index / 7);
    const answer = seriesOf(points, { maxPoints: 120 });
    expect(answer).toMatchObject({
      reduced: false,
      bucket_seconds: null,
      points_total: 120,
      points_returned: 120,
      columns_min: null,
      columns_max: null,
      resolution_seconds: 30,
    });
    expect(answer.columns["mspt"]).toEqual(points.map(({ values: [value] }) => value));
    expect(answer.columns["time"]).toEqual(points.map(({ at }) => toTimestamp(at)));
  });

  it("[OUR-MET-05] takes the shortest buckets that are few enough, aligned to the UTC epoch", () => {
    for (const [hours, maxPoints, seconds, returned] of [
      [1, 119, 60, 60],
      [1, 59, 120, 30],
      [1, 29, 300, 12],
      [24, 500, 300, 288],
      [24, 287, 600, 144],
      [24, 30, 3600, 24],
      [24, 23, 7200, 12],
      [24, 10, 10_800, 9],
    ] as const) {
      const answer = seriesOf(regular(hours), { maxPoints });
      expect([answer.bucket_seconds, answer.points_returned], `${hours} h, ${maxPoints}`).toEqual([
        seconds,
        returned,
      ]);
    }
  });

  it("[OUR-MET-05] labels a bucket by its start, and leaves out those without points", () => {
    const points = [sample(epoch - 3_500_000, 1), ...regular(1).slice(80, 120)];
    const answer = seriesOf(points, { maxPoints: 10 });
    expect(answer.bucket_seconds).toBe(300);
    expect(answer.columns["time"]).toEqual(
      ["07:00", "07:40", "07:45", "07:50", "07:55"].map((time) => `2026-11-20T${time}:00.000Z`),
    );
  });

  it("[OUR-MET-06] averages measures, adds up counters, and takes the largest of worst values", () => {
    const points = regular(1, (index) => index % 20);
    const first = (field: SeriesField) => {
      const { columns, columns_min, columns_max, aggregation } = seriesOf(points, { field, maxPoints: 10 });
      return [aggregation[field], columns[field]?.[0], columns_min?.[field]?.[0], columns_max?.[field]?.[0]];
    };
    expect(first("tps")).toEqual(["avg", 9.5, 0, 19]);
    expect(first("lag_seconds")).toEqual(["sum", 190, 0, 19]);
    expect(first("worst_tick_ms")).toEqual(["max", 19, 0, 19]);
    expect(seriesFields.filter((field) => aggregationOf(field) === "sum")).toEqual([
      "ticks_over_50ms",
      "lag_seconds",
      "gc_stw_ms",
    ]);
    expect(seriesFields.filter((field) => aggregationOf(field) === "max")).toEqual([
      "worst_tick_ms",
      "mspt_p95",
    ]);
  });

  it("[OUR-MET-06] has null where a bucket holds points without a value", () => {
    const points = regular(1, (index) => (index < 60 ? null : 5));
    const answer = seriesOf(points, { maxPoints: 10, from: epoch - 3_600_000 });
    expect(answer.columns["mspt"]).toEqual([null, null, null, 5, 5, 5]);
    expect(answer.columns_min?.["mspt"]).toEqual([null, null, null, 5, 5, 5]);
    expect(answer.summary["mspt"]).toMatchObject({ count: 60, min: 5, p5: 5 });
    expect(answer.gaps).toEqual([]);
  });

  it("[OUR-MET-06] writes means with three decimals and within the values behind them, measured values untouched", () => {
    const answer = seriesOf(
      regular(1, (index) => (index % 2 === 0 ? 1 / 3 : 2 / 3)),
      { maxPoints: 10 },
    );
    expect(answer.columns["mspt"]?.[0]).toBe(0.5);
    expect(answer.columns_min?.["mspt"]?.[0]).toBe(1 / 3);
    expect(answer.summary["mspt"]).toMatchObject({ min: 1 / 3, max: 2 / 3, avg: 0.5, p5: 1 / 3, p95: 2 / 3 });
    const equal = seriesOf(
      regular(1, () => 19.98765),
      { maxPoints: 10 },
    );
    expect(equal.columns["mspt"]?.[0]).toBe(19.98765);
    expect(equal.summary["mspt"]?.avg).toBe(19.98765);
  });
});

describe("summary", () => {
  it("[MET-04] [OUR-MET-07] takes percentiles by nearest rank: measured values", () => {
    const values = Array.from({ length: 100 }, (_, index) => index + 0.1);
    const answer = seriesOf(
      regular(1, (index) => values[index] ?? null),
      { maxPoints: 10 },
    );
    expect(answer.summary["mspt"]).toEqual({
      min: 0.1,
      max: 99.1,
      avg: 49.6,
      p5: 4.1,
      p95: 94.1,
      count: 100,
    });
  });

  it("[OUR-MET-07] is null throughout for a field without a value", () => {
    const answer = seriesOf(regular(1, () => null));
    expect(answer.summary["mspt"]).toEqual({
      min: null,
      max: null,
      avg: null,
      p5: null,
      p95: null,
      count: 0,
    });
    expect(answer.points_total).toBe(120);
  });

  it("[OUR-MET-07] takes a single value for all of them", () => {
    expect(seriesOf([sample(epoch - 1000, 0)]).summary["mspt"]).toEqual({
      min: 0,
      max: 0,
      avg: 0,
      p5: 0,
      p95: 0,
      count: 1,
    });
  });
});

describe("gaps", () => {
  const gapsOf = (points: readonly Point[], from = epoch - 3_600_000) =>
    seriesOf(points, { from, maxPoints: 10 }).gaps.map(({ from, to, seconds }) => [
      (Date.parse(from) - epoch) / 1000,
      (Date.parse(to) - epoch) / 1000,
      seconds,
    ]);

  it("[MET-05] [OUR-MET-09] leaves none between samples 90 s apart, and one where they are further apart", () => {
    const apart = (ms: number) => [...regular(1).filter(({ at }) => at < epoch - ms), sample(epoch - 1, 1)];
    expect(gapsOf(apart(90_000)).length).toBe(1);
    const from = epoch - 300_000;
    const at = (...seconds: number[]) => seconds.map((second) => sample(epoch + second * 1000, 1));
    expect(gapsOf(at(-300, -210, -120, -90), from)).toEqual([]);
    expect(gapsOf(at(-300, -209, -120, -90), from)).toEqual([[-300, -209, 91]]);
  });

  it("[OUR-MET-09] counts from the start of the period to the first sample, and from the last to its end", () => {
    expect(gapsOf(regular(1).slice(40, 60))).toEqual([
      [-3600, -2400, 1200],
      [-1830, 0, 1830],
    ]);
  });

  it("[OUR-MET-09] is the whole period where there is nothing at all, however short", () => {
    expect(gapsOf([])).toEqual([[-3600, 0, 3600]]);
    const answer = seriesOf([], { from: epoch - 20_000 });
    expect(answer.gaps).toEqual([{ from: toTimestamp(epoch - 20_000), to: toTimestamp(epoch), seconds: 20 }]);
    expect(answer.columns).toEqual({ time: [], mspt: [] });
    expect(answer).toMatchObject({ points_total: 0, points_returned: 0, reduced: false });
  });
});

it("[OUR-MET-05] fits a year of every kind of point into ten buckets", () => {
  const { from } = presetPeriod("1y", epoch);
  const points = Array.from({ length: 365 }, (_, index) => sample(from + index * day, 1));
  expect(seriesOf(points, { from, maxPoints: 10 })).toMatchObject({
    bucket_seconds: 5_184_000,
    points_returned: 7,
  });
});
