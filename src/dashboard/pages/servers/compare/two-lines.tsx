import type { MetricSeries } from "../../../../core/metric/metric-series.ts";
import { nominalOf } from "../../../../core/metric/series-field.ts";
import { Table } from "../../../parts/table.tsx";
import { clock, Quantity } from "../../../parts/value.tsx";
import { gridPath, AxisLabels } from "../../../parts/axis-labels.tsx";
import { plotDataOf, type PlotData } from "../plot-data.ts";
import { linePath } from "../spark.tsx";
import type { ChosenLine, ChosenLines } from "./chosen-lines.ts";

interface TwoLinesProps {
  readonly chosen: ChosenLines;
  /** Null if the line's period is refused. */
  readonly one: MetricSeries | null;
  readonly other: MetricSeries | null;
}

/** Height in CSS pixels, width in units of the drawing. */
const [width, height] = [900, 200];

/** Both lines over the time of the first one, and their least, mean and largest values. */
export function TwoLines({ chosen, one, other }: TwoLinesProps) {
  const { chart, period } = chosen;
  const nominal = nominalOf(chart.field);
  const plots = [one && plotDataOf(one), other && plotDataOf(other)] as const;
  const known = plots.flatMap((plot) => valuesOf(plot, chosen).filter((value) => value !== null));
  const most = Math.max(chart.top, ...known);
  const y = (value: number): number => height - 1 - (value / most) * (height - 2);
  const rows = [
    { line: chosen.one, series: one, isSecond: false },
    { line: chosen.other, series: other, isSecond: true },
  ];
  return (
    <>
      <figure class="stack-half">
        <div class="with-axis">
          <AxisLabels most={most} unit={chart.unit} height={height} y={y} />
          <svg
            class="still two-lines"
            viewBox={`0 0 ${width} ${height}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`${chart.name} of both, ${period[1]}, from 0 to ${Math.round(most)} ${chart.unit}`}
          >
            <path class="grid" d={gridPath({ most, height, y }, width)} />
            {nominal !== null && <path class="nominal" d={`M0 ${y(nominal)}H${width}`} />}
            <path class="line second" d={pathIn(plots[1], chosen, y)} />
            <path class="line" d={pathIn(plots[0], chosen, y)} />
          </svg>
        </div>
        <figcaption class="small quiet">
          {one && (
            <span class="ends">
              <span>{clock(one.from)}</span>
              <span>{clock(one.to)}</span>
            </span>
          )}
          {nominal !== null && `The thin dashed line is ${nominal === 20 ? "20 TPS" : "50 ms a tick"}. `}No
          line is drawn where nothing was measured.
        </figcaption>
      </figure>
      <Table
        caption={`${chart.name} of both lines`}
        rows={rows}
        rowKey={(_row, index) => String(index)}
        columns={[
          { head: "Line", cell: ({ line, isSecond }) => <LineName line={line} isSecond={isSecond} /> },
          {
            head: "From",
            cell: ({ series }) => (series === null ? "not shown" : clock(series.from)),
          },
          ...(["min", "avg", "max"] as const).map((which) => ({
            head: { min: "Least", avg: "Mean", max: "Largest" }[which],
            number: true,
            cell: ({ series }: (typeof rows)[number]) => {
              const value = series?.summary[chart.field]?.[which] ?? null;
              return <Quantity value={value === null ? null : value / chart.of} unit={chart.unit} />;
            },
          })),
        ]}
      />
    </>
  );
}

function LineName({ line, isSecond }: { line: ChosenLine; isSecond: boolean }) {
  return (
    <>
      <svg viewBox="0 0 24 12" width="24" height="12" aria-hidden="true" class="two-lines">
        <path class={isSecond ? "line second" : "line"} d="M0 6H24" />
      </svg>{" "}
      <bdi>{line.name}</bdi>
    </>
  );
}

const valuesOf = (plot: PlotData | null, { chart }: ChosenLines): (number | null)[] =>
  (plot?.lines[chart.field]?.values ?? []).map((value) => (value === null ? null : value / chart.of));

/** Over the line's own period. */
function pathIn(plot: PlotData | null, chosen: ChosenLines, y: (value: number) => number): string {
  if (plot === null) return "";
  const x = (at: number): number => ((at - plot.from) / (plot.to - plot.from)) * width;
  const rounded = (value: number): number => Math.round(value * 10) / 10;
  return linePath(
    plot.times,
    valuesOf(plot, chosen),
    (at) => rounded(x(at)),
    (value) => rounded(y(value)),
  );
}
