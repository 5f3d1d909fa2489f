import type { MetricSeries } from "../../../core/metric/metric-series.ts";
import type { SeriesField } from "../../../core/metric/fields.ts";
import { hourMs, toTimestamp, type Instant } from "../../../core/time.ts";

/** One figure over time. */
export interface PlotLine {
  readonly values: readonly (number | null)[];
  /** By point; null if points are single measurements. */
  readonly min: readonly (number | null)[] | null;
  readonly max: readonly (number | null)[] | null;
}

/** On one time axis, Unix seconds. */
export interface PlotData {
  readonly from: number;
  readonly to: number;
  readonly times: readonly number[];
  readonly gaps: readonly (readonly [from: number, to: number])[];
  readonly lines: Readonly<Partial<Record<SeriesField, PlotLine>>>;
}

/** Of the small charts: three hours, in at most 60 points. */
export const sparkPeriod = (now: Instant): { from: string; max_points: number } => ({
  from: toTimestamp(now - 3 * hourMs),
  max_points: 60,
});

export const secondsOf = (at: string): number => Math.round(Date.parse(at) / 1000);

/** A line breaks between two points if gaps take this share of the time between them. */
const brokenFrom = 0.5;

/** Adds a point without values in each gap, so that no line is drawn through time without measurements. */
export function plotDataOf(series: MetricSeries): PlotData {
  const times = (series.columns["time"] ?? []).map((time) => secondsOf(String(time)));
  const gaps = series.gaps.map(({ from, to }) => [secondsOf(from), secondsOf(to)] as const);
  const points = withBreaks(times, gaps, series.bucket_seconds);
  const spread = (column: readonly unknown[] | undefined): (number | null)[] =>
    points.map(({ index }) => (index === null ? null : numberOrNull(column?.[index])));
  const lines: Partial<Record<SeriesField, PlotLine>> = {};
  for (const field of series.fields) {
    const [min, max] = [series.columns_min?.[field], series.columns_max?.[field]];
    lines[field] = {
      values: spread(series.columns[field]),
      min: min ? spread(min) : null,
      max: max ? spread(max) : null,
    };
  }
  return {
    from: secondsOf(series.from),
    to: secondsOf(series.to),
    times: points.map(({ at }) => at),
    gaps,
    lines,
  };
}

interface PlotPoint {
  readonly at: number;
  /** Null for a break. */
  readonly index: number | null;
}

function withBreaks(
  times: readonly number[],
  gaps: readonly (readonly [number, number])[],
  bucketSeconds: number | null,
): PlotPoint[] {
  const points: PlotPoint[] = [];
  for (const [index, at] of times.entries()) {
    const before = times[index - 1];
    if (before !== undefined && isBroken(before, at, gaps, bucketSeconds))
      points.push({ at: (before + at) / 2, index: null });
    points.push({ at, index });
  }
  return points;
}

function isBroken(
  before: number,
  at: number,
  gaps: readonly (readonly [number, number])[],
  bucketSeconds: number | null,
): boolean {
  if (bucketSeconds !== null && at - before > 1.5 * bucketSeconds) return true;
  const within = gaps.reduce(
    (sum, [from, to]) => sum + Math.max(0, Math.min(to, at) - Math.max(from, before)),
    0,
  );
  return within > brokenFrom * (at - before);
}

const numberOrNull = (value: unknown): number | null => (typeof value === "number" ? value : null);
