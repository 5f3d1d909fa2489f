import type { AlertRule } from "../../../../core/alert/alert-rule.ts";
import { sampleFields, type SeriesField } from "../../../../core/metric/fields.ts";
import type { MetricSeries } from "../../../../core/metric/metric-series.ts";
import { nominalOf, unitOf } from "../../../../core/metric/series-field.ts";
import { visible } from "../../../../core/text/plain-words.ts";
import type { ChartData, ChartLine, ChartMark, Stretch } from "../../../scripts/chart/chart-data.ts";
import { plotDataOf, type PlotLine } from "../plot-data.ts";

export type ChartField = Extract<
  SeriesField,
  "tps" | "mspt" | "mspt_p95" | "player_count" | "ram_used_mb" | "cpu_usage"
>;

export interface Chart {
  readonly field: ChartField;
  readonly name: string;
  readonly unit: string;
  /** The lowest end of the scale. */
  readonly top: number;
  /** The size of the chart's unit in the API's unit. */
  readonly of: number;
}

const chart = (field: ChartField, top: number, unit = unitOf(field), of = 1): Chart => ({
  field,
  name: sampleFields[field].name,
  unit,
  top,
  of,
});

/** In the order of the page. */
export const charts: readonly Chart[] = [
  chart("tps", 20),
  chart("mspt", 55),
  chart("mspt_p95", 55),
  chart("player_count", 5),
  chart("ram_used_mb", 1, "GB", 1024),
  chart("cpu_usage", 100),
];

export const chartFields = charts.map(({ field }) => field);

export interface DrawnPeriod {
  readonly series: MetricSeries;
  readonly rules: readonly AlertRule[];
  readonly marks: readonly ChartMark[];
  readonly shades: readonly Stretch[];
}

/** In the units of the charts. With `after` (Unix seconds) only newer points. */
export function chartDataOf(
  { series, rules, marks, shades }: DrawnPeriod,
  after: number | null = null,
): ChartData {
  const data = plotDataOf(series);
  const first = after === null ? 0 : data.times.findIndex((at) => at > after);
  const newer = <T>(column: readonly T[]): T[] => (first === -1 ? [] : column.slice(first));
  const lines = charts.map(({ field, name, unit, top, of }): ChartLine => {
    const line = data.lines[field];
    const column = (values: PlotLine["values"] | null | undefined) =>
      values ? newer(values).map((value) => (value === null ? null : rounded(value / of))) : null;
    return {
      field,
      name,
      unit,
      top,
      nominal: nominalOf(field),
      thresholds: rules.flatMap(({ metric, threshold, enabled, name: ruleName }) =>
        metric === field && enabled && threshold !== null
          ? [{ value: rounded(threshold / of), name: visible(ruleName) }]
          : [],
      ),
      values: column(line?.values),
      min: column(line?.min),
      max: column(line?.max),
    };
  });
  return {
    from: data.from,
    to: data.to,
    bucket: series.bucket_seconds,
    times: newer(data.times),
    gaps: data.gaps,
    lines,
    marks: marks.filter(({ at }) => at >= data.from && at <= data.to),
    shades: shades.filter(([from, to]) => to > data.from && from < data.to),
  };
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
