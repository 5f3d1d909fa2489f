import { ChunkColumn, valuesAlone } from "../../../src/core/metric/chunk-column.ts";
import type { SeriesChunk } from "../../../src/core/metric/chunk.ts";
import type { MetricSeries } from "../../../src/core/metric/metric-series.ts";
import type { SeriesField } from "../../../src/core/metric/fields.ts";
import { Series } from "../../../src/core/metric/series.ts";

export const epoch = Date.UTC(2026, 10, 20, 8);
export const day = 86_400_000;

/** A stored sample as a test writes it; one field. */
export interface Point {
  readonly at: number;
  /** None where the field is unknown. */
  readonly values: readonly number[];
}

export const sample = (at: number, value: number | null): Point => ({
  at,
  values: value === null ? [] : [value],
});

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

/** Points as the store gives them: cut into chunks. */
export function* chunksOf(points: readonly Point[], size: number): Generator<SeriesChunk> {
  for (let start = 0; start < points.length; start += size) yield chunkOf(points.slice(start, start + size));
}

const chunkOf = (points: readonly Point[]): SeriesChunk => ({
  times: Float64Array.from(points, ({ at }) => at),
  columns: [
    new ChunkColumn(valuesAlone(Float64Array.from(points, ({ values: [value = Number.NaN] }) => value))),
  ],
});

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
  if (points.length <= maxPoints)
    return { seconds: null, buckets: points.map(({ at, values }) => ({ start: at, values })) };
  for (const seconds of sizes) {
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
  const stops = [from, ...points.map(({ at }) => at), to];
  return stops.slice(1).flatMap((stop, index) => {
    const before = stops[index] ?? 0;
    return stop - before > 90_000 ? [{ from: before, to: stop }] : [];
  });
}

/** `sorted[ceil(share · n) − 1]`. */
export function naivePercentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? null;
}
