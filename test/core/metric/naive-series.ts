import { RolledColumn, SampleColumn, valuesAlone } from "../../../src/core/metric/chunk-column.ts";
import type { SeriesChunk } from "../../../src/core/metric/chunk.ts";
import type { MetricSeries } from "../../../src/core/metric/metric-series.ts";
import type { SeriesField } from "../../../src/core/metric/sample.ts";
import { Series } from "../../../src/core/metric/series.ts";

export const epoch = Date.UTC(2026, 10, 20, 8);
export const day = 86_400_000;

/** A stored point as a test writes it; one field. */
export interface Point {
  readonly at: number;
  /** The measured values behind it; a sample has one, or none where the field is unknown. */
  readonly values: readonly number[];
  readonly rolled: boolean;
}

export const sample = (at: number, value: number | null): Point => ({
  at,
  values: value === null ? [] : [value],
  rolled: false,
});

export const rollup = (at: number, values: readonly number[]): Point => ({ at, values, rolled: true });

interface Asked {
  readonly field?: SeriesField;
  readonly maxPoints?: number;
  readonly chunk?: number;
  readonly from?: number;
  readonly to?: number;
}

/** The answer of the code under test for these points. */
export function seriesOf(points: readonly Point[], asked: Asked = {}): MetricSeries {
  const { field = "mspt", maxPoints = 500, chunk = 100, from = epoch - day, to = epoch } = asked;
  const series = new Series({ serverId: "s", period: { range: null, from, to }, fields: [field], maxPoints });
  for (const part of chunksOf(points, chunk)) series.add(part);
  const steps = series.answer();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Points as the store gives them: runs of one kind, cut into chunks. */
export function* chunksOf(points: readonly Point[], size: number): Generator<SeriesChunk> {
  for (let start = 0; start < points.length;) {
    let end = start;
    const rolled = points[start]?.rolled ?? false;
    while (end < points.length && end - start < size && points[end]?.rolled === rolled) end += 1;
    yield chunkOf(points.slice(start, end), rolled);
    start = end;
  }
}

function chunkOf(points: readonly Point[], rolled: boolean): SeriesChunk {
  const of = (value: (values: readonly number[]) => number) =>
    Float64Array.from(points, ({ values }) => (values.length === 0 ? Number.NaN : value(values)));
  return {
    rolled,
    times: Float64Array.from(points, ({ at }) => at),
    columns: [
      rolled
        ? new RolledColumn({
            min: of((values) => Math.min(...values)),
            max: of((values) => Math.max(...values)),
            sum: of(sumOf),
            count: Float64Array.from(points, ({ values }) => values.length),
          })
        : new SampleColumn(valuesAlone(of(sumOf))),
    ],
  };
}

export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const sizes = [
  60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 345600, 604800, 1209600,
  2592000, 5184000,
];

export interface NaiveBucket {
  readonly start: number;
  readonly values: readonly number[];
}

/** Buckets by the rule as it is written: try every length, from the shortest. */
export function naiveBuckets(
  points: readonly Point[],
  maxPoints: number,
): { readonly seconds: number | null; readonly buckets: NaiveBucket[] } {
  const rolled = points.some((point) => point.rolled);
  if (points.length <= maxPoints && !rolled)
    return { seconds: null, buckets: points.map(({ at, values }) => ({ start: at, values })) };
  for (const seconds of sizes) {
    if (rolled && seconds < 300) continue;
    const buckets = new Map<number, number[]>();
    for (const { at, values } of points) {
      const start = Math.floor(at / 1000 / seconds) * seconds * 1000;
      buckets.set(start, [...(buckets.get(start) ?? []), ...values]);
    }
    if (buckets.size <= maxPoints)
      return { seconds, buckets: [...buckets].map(([start, values]) => ({ start, values })) };
  }
  throw new Error("No length of buckets is enough.");
}

/** Intervals without data: pairs of neighbours, looked at one by one. */
export function naiveGaps(
  points: readonly Point[],
  from: number,
  to: number,
): { from: number; to: number }[] {
  if (points.length === 0) return [{ from, to }];
  const stops = [
    { at: from, end: from, rolled: false },
    ...points.map(({ at, rolled }) => ({ at, end: rolled ? at + 300_000 : at, rolled })),
    { at: to, end: to, rolled: false },
  ];
  return stops.slice(1).flatMap((stop, index) => {
    const before = stops.slice(0, index + 1);
    const previous = before.at(-1);
    const limit = stop.rolled || previous?.rolled === true ? 600_000 : 90_000;
    const covered = Math.max(...before.map(({ end }) => end));
    return stop.at - (previous?.at ?? 0) > limit && stop.at > covered ? [{ from: covered, to: stop.at }] : [];
  });
}

/** `sorted[ceil(share · n) − 1]`. */
export function naivePercentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? null;
}
