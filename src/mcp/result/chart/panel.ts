import type { MetricSeries } from "../../../core/metric/metric-series.ts";
import type { SeriesField } from "../../../core/metric/fields.ts";
import { nominalOf, unitOf } from "../../../core/metric/series-field.ts";
import { colors, linear, plotHeight, plotLeft, plotRight, px, titleHeight, type Scale } from "./frame.ts";
import { label, labelWidth } from "./label.ts";
import type { DrawnPoint } from "./runs.ts";
import { shortValue, valueAxis, type ValueAxis } from "./ticks.ts";

interface Panel {
  readonly series: MetricSeries;
  readonly field: SeriesField;
  readonly runs: readonly (readonly DrawnPoint[])[];
  readonly x: Scale;
  /** px from the top. */
  readonly top: number;
}

/** Totals have no band, because min and max are of single samples. */
const hasBand = ({ series, field }: Panel): boolean =>
  series.columns_min !== null && series.aggregation[field] !== "sum";

/** The least top of an axis of counts, so that its marks are whole numbers. */
const fewest = 4;

/** From 0 (TPS: from 15 or lower) up to the nominal value or higher. */
function axisOf(panel: Panel): ValueAxis {
  const { field, runs } = panel;
  const points = runs.flat();
  const lowest = Math.min(...points.map(({ value, min }) => (hasBand(panel) ? Math.min(value, min) : value)));
  const highest = Math.max(
    0,
    ...points.map(({ value, max }) => (hasBand(panel) ? Math.max(value, max) : value)),
  );
  const nominal = nominalOf(field);
  if (nominal === 20) return valueAxis(Math.min(15, lowest), nominal);
  const least = nominal === null ? (unitOf(field) === "" ? fewest : 0) : nominal * 1.2;
  return valueAxis(0, Math.max(highest, least));
}

export function drawPanel(panel: Panel): string {
  const axis = axisOf(panel);
  const bottom = panel.top + titleHeight + plotHeight;
  // Room above the top mark, so that a line along it is seen whole.
  const y = linear(axis.low, axis.high, bottom, panel.top + titleHeight + 5);
  return [
    heading(panel),
    grid(panel, axis, y),
    ...panel.runs.map((run) => drawRun(run, panel.x, y, hasBand(panel))),
    `<use href="#gaps" y="${px(panel.top + titleHeight)}"/>`,
    nominal(panel.field, y),
    `<path d="M${plotLeft} ${px(bottom)}H${plotRight}" stroke="${colors.axis}"/>`,
  ].join("");
}

function heading({ series, field, top }: Panel): string {
  const y = top + 14;
  const unit = unitOf(field);
  const aside = [unit, series.reduced ? `${series.aggregation[field] ?? ""} per bucket` : ""]
    .filter(Boolean)
    .join(" · ");
  const { min, avg, max } = series.summary[field] ?? { min: null, avg: null, max: null };
  const known =
    min === null || avg === null || max === null
      ? "no values"
      : `min ${shortValue(min)}   avg ${shortValue(avg)}   max ${shortValue(max)}`;
  return [
    label(field, plotLeft, y, { color: colors.ink, size: 9.2, bold: true }),
    label(aside, plotLeft + labelWidth(field, 9.2) + 12, y, { color: colors.muted, size: 8 }),
    label(known, plotRight, y, { color: colors.muted, size: 8, align: "end" }),
  ].join("");
}

function grid({ field }: Panel, { marks }: ValueAxis, y: Scale): string {
  const unit = unitOf(field);
  return marks
    .map((mark, index) => {
      const at = y(mark);
      const withUnit =
        index === marks.length - 1 && unit !== "" ? `${shortValue(mark)} ${unit}` : shortValue(mark);
      const text = label(withUnit, plotLeft - 8, at + 4, { color: colors.muted, size: 8, align: "end" });
      return `<path d="M${plotLeft} ${px(at)}H${plotRight}" stroke="${colors.grid}"/>${text}`;
    })
    .join("");
}

function nominal(field: SeriesField, y: Scale): string {
  const value = nominalOf(field);
  if (value === null) return "";
  const at = y(value);
  const text = value === 20 ? "20 TPS" : `${value} ms`;
  return [
    `<path d="M${plotLeft} ${px(at)}H${plotRight}" stroke="${colors.nominal}" stroke-dasharray="5 4" stroke-opacity=".8"/>`,
    label(text, plotRight + 8, at + 4, { color: colors.nominal, size: 8 }),
  ].join("");
}

/** Half a bucket is added at both ends of a run, so that a single bucket is seen too. */
function drawRun(run: readonly DrawnPoint[], x: Scale, y: Scale, withBand: boolean): string {
  const [first, last] = [run[0], run.at(-1)];
  if (!first || !last) return "";
  if (run.length === 1 && first.start === first.end)
    return `<circle cx="${px(x(first.start))}" cy="${px(y(first.value))}" r="1.8" fill="${colors.line}"/>`;
  const along = (value: (point: DrawnPoint) => number): string[] => [
    `${px(x(first.start))} ${px(y(value(first)))}`,
    ...run.map((point) => `${px((x(point.start) + x(point.end)) / 2)} ${px(y(value(point)))}`),
    `${px(x(last.end))} ${px(y(value(last)))}`,
  ];
  const band = withBand
    ? `<path d="M${[...along(({ max }) => max), ...along(({ min }) => min).toReversed()].join("L")}Z" fill="${colors.band}"/>`
    : "";
  return `${band}<path d="M${along(({ value }) => value).join("L")}" fill="none" stroke="${colors.line}" stroke-width="1.5" stroke-linejoin="round"/>`;
}
