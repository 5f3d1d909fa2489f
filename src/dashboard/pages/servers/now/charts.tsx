import type { FieldSummary } from "../../../../core/metric/summary.ts";
import type { MetricSeries } from "../../../../core/metric/metric-series.ts";
import type { SeriesField } from "../../../../core/metric/sample.ts";
import { nominalOf, unitOf } from "../../../../core/metric/series-field.ts";
import { plotDataOf, type PlotLine } from "../plot-data.ts";
import { Spark } from "../spark.tsx";
import { Card, Notice } from "../../../parts/state.tsx";
import { clock, Quantity } from "../../../parts/value.tsx";
import { PointsTable } from "./points-table.tsx";
import type { ChartAnnotation } from "./chart-annotations.ts";
import { isShown, presets, type Chosen } from "./period.ts";

interface Chart {
  readonly field: SeriesField;
  readonly name: string;
  readonly unit: string;
  /** The minimum end of the scale. */
  readonly top: number;
  /** The size of the chart's unit in the API's unit. */
  readonly of: number;
}

const chart = (field: SeriesField, name: string, top: number, unit = unitOf(field), of = 1): Chart => ({
  field,
  name,
  unit,
  top,
  of,
});

/** The charts. */
const charts = [
  chart("tps", "TPS", 20),
  chart("mspt", "MSPT", 55),
  chart("mspt_p95", "MSPT p95", 55),
  chart("player_count", "Players", 5),
  chart("ram_used_mb", "Memory in use", 1, "GiB", 1024),
  chart("cpu_usage", "CPU of the server", 100),
];

export const chartFields = charts.map(({ field }) => field);

interface ChartsProps {
  readonly id: string;
  readonly series: MetricSeries;
  readonly chosen: Chosen;
  readonly retentionDays: number;
  readonly marks: readonly ChartAnnotation[];
  readonly shades: readonly (readonly [number, number])[];
}

/** Charts over one time axis. The script replaces these drawings and shows the values under the pointer. */
export function Charts({ id, series, chosen, retentionDays, marks, shades }: ChartsProps) {
  const data = plotDataOf(series);
  const lines = charts.map(({ field, name, unit, top, of }) => {
    const line = data.lines[field];
    return { field, name, unit, top, nominal: nominalOf(field), ...(line && inUnits(line, of)) };
  });
  const drawn = {
    ...data,
    lines,
    marks: marks.filter(({ at }) => at >= data.from && at <= data.to),
    shades: shades.filter(([from, to]) => to > data.from && from < data.to),
  };
  return (
    <Card
      title="Charts"
      aside={<Presets id={id} chosen={chosen} retentionDays={retentionDays} />}
      id="charts"
    >
      {chosen.beyond !== null && (
        <Notice>
          The plan shows the last {retentionDays} days, so the charts show {chosen.preset[1]} instead of{" "}
          {chosen.beyond[1]}.
        </Notice>
      )}
      <p class="small quiet">
        {clock(series.from)} to {clock(series.to)},{" "}
        {series.bucket_seconds === null
          ? "every measurement"
          : `a point for every ${bucketWords(series.bucket_seconds)} with its least and largest value as a band`}
      </p>
      <div class="strips" data-charts={JSON.stringify(drawn)}>
        {charts.map((chart) => (
          <figure key={chart.field} class="strip" data-chart={chart.field}>
            <Caption chart={chart} summary={series.summary[chart.field]} />
            <div class="plot">
              <Spark
                data={data}
                field={chart.field}
                name={chart.name}
                unit={chart.unit}
                per={chart.of}
                nominal={nominalOf(chart.field)}
                top={chart.top}
                width={900}
                height={96}
                class="still"
              />
            </div>
          </figure>
        ))}
      </div>
      <Legend />
      <PointsTable data={data} lines={lines} />
    </Card>
  );
}

const bucketWords = (seconds: number): string =>
  seconds % 3600 === 0 ? `${seconds / 3600} h` : seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;

function Presets({ id, chosen, retentionDays }: { id: string; chosen: Chosen; retentionDays: number }) {
  return (
    <nav aria-label="Period of the charts">
      <ul class="chips">
        {presets.map((preset) => (
          <li key={preset[0]}>
            {isShown(preset, retentionDays) ? (
              <a
                href={`/servers/${id}?range=${preset[0]}#charts`}
                aria-current={chosen.preset === preset ? "true" : undefined}
              >
                {preset[1]}
              </a>
            ) : (
              <span class="quiet" title={`The plan shows the last ${retentionDays} days`}>
                {preset[1]}
              </span>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A line in the chart's unit, rounded to thousandths. */
function inUnits({ values, min, max }: PlotLine, of: number): PlotLine {
  const scaled = (column: PlotLine["values"]) =>
    column.map((value) => (value === null ? null : Math.round((value / of) * 1000) / 1000));
  return { values: scaled(values), min: min && scaled(min), max: max && scaled(max) };
}

interface CaptionProps {
  readonly chart: Chart;
  readonly summary: FieldSummary | undefined;
}

function Caption({ chart: { name, unit, of }, summary }: CaptionProps) {
  const inUnit = (value: number | null): number | null => (value === null ? null : value / of);
  return (
    <figcaption>
      <strong>{name}</strong>
      <output class="under" aria-hidden="true" />
      {summary && summary.count > 0 ? (
        <dl class="extent small">
          {(["min", "avg", "max"] as const).map((which) => (
            <div key={which}>
              <dt>{which}</dt>
              <dd>
                <Quantity value={inUnit(summary[which])} unit={unit} />
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <span class="small quiet">not measured in this period</span>
      )}
    </figcaption>
  );
}

function Legend() {
  return (
    <ul class="legend small quiet" aria-label="How to read the charts">
      <li>
        <svg viewBox="0 0 24 12" width="24" height="12" aria-hidden="true">
          <path class="nominal" d="M0 6H24" />
        </svg>
        20 TPS, or 50 ms a tick
      </li>
      <li>
        <svg viewBox="0 0 24 12" width="24" height="12" aria-hidden="true">
          <path class="hatch" d="M0 12L12 0M6 12L18 0M12 12L24 0M0 6L6 0M18 12L24 6" />
        </svg>
        nothing was measured
      </li>
      <li>
        <svg viewBox="0 0 24 12" width="24" height="12" aria-hidden="true">
          <rect class="shade" width="24" height="12" />
        </svg>
        maintenance
      </li>
      <li>
        <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
          <path class="mark-alert" d="M6 1L11 11H1z" />
        </svg>
        an alert opened
      </li>
      <li>
        <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
          <path class="mark-event" d="M6 1L11 6L6 11L1 6z" />
        </svg>
        an event
      </li>
    </ul>
  );
}
