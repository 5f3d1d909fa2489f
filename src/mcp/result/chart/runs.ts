import type { MetricSeries } from "../../../core/metric/metric-series.ts";
import type { SeriesField } from "../../../core/metric/fields.ts";
import { parseInstant } from "../../../core/time.ts";

/** A point as it is drawn; `start` and `end` are equal for a single sample. */
export interface DrawnPoint {
  readonly start: number;
  readonly end: number;
  readonly value: number;
  readonly min: number;
  readonly max: number;
}

export interface Interval {
  readonly from: number;
  readonly to: number;
}

export const instantOf = (text: unknown): number =>
  typeof text === "string" ? (parseInstant(text) ?? 0) : 0;

export const gapsOf = ({ gaps }: MetricSeries): Interval[] =>
  gaps.map(({ from, to }) => ({ from: instantOf(from), to: instantOf(to) }));

const numberAt = (values: readonly unknown[] | undefined, index: number): number | null => {
  const value = values?.[index];
  return typeof value === "number" ? value : null;
};

/** Splits the points of a field at missing buckets, gaps and unknown values. */
export function runsOf(series: MetricSeries, field: SeriesField, gaps: readonly Interval[]): DrawnPoint[][] {
  const { columns, columns_min, columns_max, bucket_seconds } = series;
  const lengthMs = (bucket_seconds ?? 0) * 1000;
  const runs: DrawnPoint[][] = [];
  let run: DrawnPoint[] = [];
  let gap = 0;
  for (const [index, time] of (columns["time"] ?? []).entries()) {
    const start = instantOf(time);
    const value = numberAt(columns[field], index);
    const previous = run.at(-1);
    while ((gaps[gap]?.to ?? Number.POSITIVE_INFINITY) <= (previous?.start ?? start)) gap += 1;
    const isApart =
      previous !== undefined && (lengthMs > 0 ? start > previous.end : (gaps[gap]?.from ?? start) < start);
    if (run.length > 0 && (value === null || isApart)) {
      runs.push(run);
      run = [];
    }
    if (value === null) continue;
    const min = numberAt(columns_min?.[field], index) ?? value;
    const max = numberAt(columns_max?.[field], index) ?? value;
    run.push({ start, end: start + lengthMs, value, min, max });
  }
  return run.length > 0 ? [...runs, run] : runs;
}
