import type { FieldComparison } from "../../../../core/metric/period-comparison.ts";
import { nominalOf } from "../../../../core/metric/series-field.ts";
import { LegendSign } from "../../../parts/legend-sign.tsx";
import { Card } from "../../../parts/state.tsx";
import { Table } from "../../../parts/table.tsx";
import { Quantity } from "../../../parts/value.tsx";
import { gridPath, AxisLabels } from "../../../parts/axis-labels.tsx";
import { comparedName } from "../../../words/periods.ts";

interface HoursProps {
  /** Figures with an hour profile, and the shown one. */
  readonly fields: readonly FieldComparison[];
  readonly shown: FieldComparison;
  /** The address of this page with another figure. */
  readonly hrefOf: (field: FieldComparison["field"]) => string;
}

export const hasHours = ({ hours }: FieldComparison): boolean =>
  [...hours.base, ...hours.target].some((value) => value !== null);

/** The script replaces the drawing and shows values. */
export function Hours({ fields, shown, hrefOf }: HoursProps) {
  const { field, unit, hours } = shown;
  const name = comparedName(field);
  const nominal = nominalOf(field);
  const rows = hours.base.map((base, hour) => ({ hour, base, target: hours.target[hour] ?? null }));
  return (
    <Card
      title="Hour of the day"
      id="hours"
      aside={
        <nav aria-label="Figure of the chart">
          <ul class="chips">
            {fields.map((each) => (
              <li key={each.field}>
                <a href={hrefOf(each.field)} aria-current={each.field === field ? "true" : undefined}>
                  {comparedName(each.field)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      }
    >
      <p class="small quiet">{name}: the median of each hour, UTC.</p>
      <figure class="stack-half" data-hours={JSON.stringify({ unit, nominal, ...hours })}>
        <output class="under" aria-hidden="true" />
        <div class="plot">
          <HourLines {...hours} unit={unit} name={`${name} by hour of the day`} />
        </div>
        <figcaption>
          <ul class="legend small quiet">
            <LegendSign text="earlier period">
              <path d="M0 6H24" {...earlierLine} />
            </LegendSign>
            <LegendSign text="later period">
              <path class="line" d="M0 6H24" />
            </LegendSign>
            {nominal !== null && (
              <LegendSign text={nominal === 20 ? "20 TPS" : "50 ms a tick"}>
                <path class="nominal" d="M0 6H24" />
              </LegendSign>
            )}
          </ul>
        </figcaption>
      </figure>
      <details>
        <summary>The same hours as a table</summary>
        <Table
          caption={`${name} by hour of the day`}
          rows={rows}
          rowKey={({ hour }) => String(hour)}
          columns={[
            { head: "Hour, UTC", cell: ({ hour }) => `${String(hour).padStart(2, "0")}:00` },
            { head: "Earlier", number: true, cell: ({ base }) => <Quantity value={base} unit={unit} /> },
            { head: "Later", number: true, cell: ({ target }) => <Quantity value={target} unit={unit} /> },
          ]}
        />
      </details>
    </Card>
  );
}

const earlierLine = {
  fill: "none",
  stroke: "var(--line-strong)",
  "stroke-width": 2,
  "stroke-dasharray": "6 3",
  "vector-effect": "non-scaling-stroke",
} as const;

type Column = readonly (number | null)[];

/** Height in CSS pixels, width in units of the drawing. */
const [height, width] = [172, 900];
const lastHour = 23;

interface HourLinesProps {
  readonly base: Column;
  readonly target: Column;
  readonly unit: string;
  readonly name: string;
}

/** Without a script. No line is drawn through an hour that was not measured. */
function HourLines({ base, target, unit, name }: HourLinesProps) {
  const most = Math.max(...[...base, ...target].filter((value) => value !== null), 0);
  const y = (value: number): number => height - 2 - (most === 0 ? 0 : (value / most) * (height - 6));
  const pathOf = (column: Column): string =>
    column
      .map((value, hour) => {
        if (value === null) return "";
        const isNew = (column[hour - 1] ?? null) === null;
        const x = (hour / lastHour) * width;
        return `${isNew ? "M" : "L"}${x.toFixed(1)} ${y(value).toFixed(1)}${isNew ? "h0" : ""}`;
      })
      .join("");
  return (
    <div class="with-axis">
      <AxisLabels most={most} unit={unit} height={height} y={y} />
      <svg
        class="still"
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={name}
      >
        <path class="grid" d={gridPath({ most, height, y }, width)} />
        <path d={pathOf(base)} {...earlierLine} />
        <path class="line" d={pathOf(target)} />
      </svg>
    </div>
  );
}
