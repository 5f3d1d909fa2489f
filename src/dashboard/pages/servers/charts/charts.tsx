import type { FieldSummary } from "../../../../core/metric/summary.ts";
import { aggregationOf, nominalOf } from "../../../../core/metric/series-field.ts";
import type { Instant } from "../../../../core/time.ts";
import { plotDataOf } from "../plot-data.ts";
import { Spark } from "../spark.tsx";
import { LegendSign } from "../../../parts/legend-sign.tsx";
import { Card, Notice } from "../../../parts/state.tsx";
import { clock, Quantity } from "../../../parts/value.tsx";
import { chartDataOf, charts, type Chart, type DrawnPeriod } from "./chart-data.ts";
import { ChartTools, Newest, Presets } from "./chart-tools.tsx";
import { PointsTable } from "./points-table.tsx";
import { oldestShown, type Chosen } from "./period.ts";

interface ChartsProps {
  readonly id: string;
  readonly drawn: DrawnPeriod;
  readonly chosen: Chosen;
  readonly retentionDays: number;
  readonly now: Instant;
}

/** Charts on one time axis. The script replaces these drawings. */
export function Charts({ id, drawn, chosen, retentionDays, now }: ChartsProps) {
  const { series } = drawn;
  const data = plotDataOf(series);
  const chartData = chartDataOf(drawn);
  return (
    <Card
      title="Charts"
      aside={<Presets id={id} chosen={chosen} retentionDays={retentionDays} />}
      id="charts"
    >
      {chosen.instead !== null && <Notice>{chosen.instead}</Notice>}
      <p class="small quiet">
        {clock(series.from)} to {clock(series.to)},{" "}
        {series.bucket_seconds === null
          ? "every measurement"
          : `a point for every ${bucketWords(series.bucket_seconds)} with its least and largest value as a band`}
        . <Newest at={data.times.at(-1)} bucketSeconds={series.bucket_seconds} chosen={chosen} now={now} />
      </p>
      {series.imported.length > 0 && <Imported stretches={series.imported} />}
      <ChartTools id={id} chosen={chosen} retentionDays={retentionDays} now={now} />
      <div
        class="strips"
        id="chart-strips"
        data-charts={JSON.stringify(chartData)}
        data-oldest={Math.ceil(oldestShown(retentionDays, now) / 1000)}
        data-now={Math.floor(now / 1000)}
        data-follows={chosen.preset === null ? undefined : ""}
        tabIndex={0}
        role="group"
        aria-label="Charts. Arrow keys move in time, plus and minus zoom."
      >
        <output class="under-time small" aria-hidden="true" />
        {charts.map((chart) => (
          <figure key={chart.field} class="strip" data-chart={chart.field}>
            <Caption
              chart={chart}
              summary={series.summary[chart.field]}
              isMaximum={series.bucket_seconds !== null && aggregationOf(chart.field) === "max"}
            />
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
      <PointsTable data={data} lines={chartData.lines} />
    </Card>
  );
}

/** Says which points the server did not send by itself. */
function Imported({ stretches }: { stretches: DrawnPeriod["series"]["imported"] }) {
  const points = stretches.reduce((sum, stretch) => sum + stretch.points, 0);
  const [first, last] = [stretches[0], stretches.at(-1)];
  if (first === undefined || last === undefined) return null;
  return (
    <p class="small quiet">
      {points} {points === 1 ? "measurement is" : "measurements are"} from a profile of {first.source},
      between {clock(first.from)} and {clock(last.to)}: the server sent none of that time.
    </p>
  );
}

const bucketWords = (seconds: number): string =>
  seconds % 3600 === 0 ? `${seconds / 3600} h` : seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;

interface CaptionProps {
  readonly chart: Chart;
  readonly summary: FieldSummary | undefined;
  /** The line shows the largest value of each point, not the mean. */
  readonly isMaximum: boolean;
}

function Caption({ chart: { name, unit, of }, summary, isMaximum }: CaptionProps) {
  const inUnit = (value: number | null): number | null => (value === null ? null : value / of);
  return (
    <figcaption>
      <strong>{name}</strong>
      {isMaximum && <span class="small quiet"> the largest</span>}
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
      <LegendSign text="20 TPS, or 50 ms a tick">
        <path class="nominal" d="M0 6H24" />
      </LegendSign>
      <LegendSign text="nothing was measured">
        <path class="hatch" d="M0 12L12 0M6 12L18 0M12 12L24 0M0 6L6 0M18 12L24 6" />
      </LegendSign>
      <LegendSign text="maintenance">
        <rect class="shade" width="24" height="12" />
      </LegendSign>
      <LegendSign text="the threshold of an alert rule">
        <path class="threshold" d="M0 6H24" />
      </LegendSign>
      <LegendSign width={12} text="an alert opened">
        <path class="mark-alert" d="M6 1L11 11H1z" />
      </LegendSign>
      <LegendSign width={12} text="an event">
        <path class="mark-event" d="M6 1L11 6L6 11L1 6z" />
      </LegendSign>
    </ul>
  );
}
