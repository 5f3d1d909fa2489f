import { MetricSeries } from "../../../core/metric/metric-series.ts";
import {
  colors,
  footHeight,
  headHeight,
  linear,
  panelHeight,
  plotLeft,
  plotRight,
  px,
  titleHeight,
  width,
  type Scale,
} from "./frame.ts";
import { gapDefinitions } from "./gap-columns.ts";
import { label, labelWidth } from "./label.ts";
import { drawPanel } from "./panel.ts";
import { gapsOf, instantOf, runsOf } from "./runs.ts";
import { clockText, dayText, timeTicks } from "./ticks.ts";

/** A series as SVG, made of its answer alone: a panel for each field, on one time axis. */
export function seriesChart(answer: unknown): string {
  const series = MetricSeries.parse(answer);
  const [from, to] = [instantOf(series.from), instantOf(series.to)];
  const scale = linear(from, to, plotLeft, plotRight);
  const x: Scale = (at) => Math.min(plotRight, Math.max(plotLeft, scale(at)));
  const gaps = gapsOf(series);
  const bottom = headHeight + series.fields.length * panelHeight;
  const height = bottom + footHeight;
  const panels = series.fields.map((field, index) =>
    drawPanel({ series, field, runs: runsOf(series, field, gaps), x, top: headHeight + index * panelHeight }),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    gapDefinitions(gaps, x),
    `<rect width="${width}" height="${height}" fill="${colors.paper}"/>`,
    head(series, from, to),
    timeLines(from, to, x, bottom - 12),
    ...panels,
    timeLabels(from, to, x, bottom + 6),
    "</svg>",
  ].join("");
}

const moment = (at: number): string => `${dayText(at)} ${new Date(at).getUTCFullYear()} ${clockText(at)}`;

function head(series: MetricSeries, from: number, to: number): string {
  const resolution =
    series.bucket_seconds === null
      ? `samples every ${spanText(series.resolution_seconds)}`
      : `buckets of ${spanText(series.bucket_seconds)}`;
  return [
    label(`${moment(from)} – ${moment(to)} UTC`, plotLeft, 26, { color: colors.ink, size: 10.5, bold: true }),
    label(`${resolution} · ${series.points_total} stored points`, plotLeft, 45, {
      color: colors.muted,
      size: 8.4,
    }),
    legend(series),
  ].join("");
}

function legend({ columns_min, gaps }: MetricSeries): string {
  const swatch = (x: number, fill: string): string =>
    `<rect x="${px(x)}" y="35" width="18" height="11" fill="${fill}"/>`;
  const items: (readonly [string, (x: number) => string])[] = [];
  if (gaps.length > 0) items.push(["no data", (x) => swatch(x, colors.gap) + swatch(x, "url(#hatch)")]);
  if (columns_min !== null) items.push(["min to max", (x) => swatch(x, colors.band)]);
  let right = plotRight;
  let drawn = "";
  for (const [text, mark] of items) {
    drawn += label(text, right, 45, { color: colors.muted, size: 8.4, align: "end" });
    right -= labelWidth(text, 8.4) + 24;
    drawn += mark(right);
    right -= 18;
  }
  return drawn;
}

function spanText(seconds: number): string {
  if (seconds % 86_400 === 0) return seconds === 86_400 ? "1 day" : `${seconds / 86_400} days`;
  if (seconds % 3600 === 0) return `${seconds / 3600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

const timeLines = (from: number, to: number, x: Scale, bottom: number): string =>
  timeTicks(from, to)
    .map(
      ({ at }) => `<path d="M${px(x(at))} ${headHeight + titleHeight}V${bottom}" stroke="${colors.grid}"/>`,
    )
    .join("");

function timeLabels(from: number, to: number, x: Scale, y: number): string {
  return timeTicks(from, to)
    .map(({ at, text }) => label(text, x(at), y, { color: colors.muted, size: 8.4, align: "middle" }))
    .join("");
}
