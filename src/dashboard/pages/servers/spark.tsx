import { absence } from "../../words/glossary.ts";
import { formatOf, span } from "../../parts/value.tsx";
import type { PlotData } from "./plot-data.ts";
import type { SeriesField } from "../../../core/metric/fields.ts";

interface SparkProps {
  readonly data: PlotData;
  readonly field: SeriesField;
  /** The accessible name. */
  readonly name: string;
  readonly unit: string;
  /** The size of `unit` in the API's unit; `nominal` and `top` are in `unit`. */
  readonly per?: number;
  /** A dashed line; null for none. */
  readonly nominal: number | null;
  /** The lowest end of the scale. */
  readonly top: number;
  readonly width?: number;
  readonly height?: number;
  readonly class?: string;
}

/** A small chart that needs no script. It has no line where nothing was measured. */
export function Spark({
  data,
  field,
  name,
  unit,
  per = 1,
  nominal,
  top,
  width = 120,
  height = 28,
  class: className = "spark",
}: SparkProps) {
  const values = (data.lines[field]?.values ?? []).map((value) => (value === null ? null : value / per));
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return <span class="quiet">{absence.notMeasured}</span>;
  const most = Math.max(top, ...known);
  const x = (at: number): number => round(((at - data.from) / (data.to - data.from)) * width);
  const y = (value: number): number => round(height - 1 - (value / most) * (height - 2));
  const length = span((data.to - data.from) * 1000);
  const label = `${name}, last ${length}: ${number(Math.min(...known))} to ${number(Math.max(...known))} ${unit}, ${gapWords(data.gaps.length)}`;
  return (
    <svg class={className} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img">
      <title>{label}</title>
      <path
        class="gap"
        d={data.gaps.map(([from, to]) => `M${x(from)} 0H${x(to)}V${height}H${x(from)}z`).join("")}
      />
      {nominal !== null && <path class="nominal" d={`M0 ${y(nominal)}H${width}`} />}
      <path class="line" d={linePath(data.times, values, x, y)} />
    </svg>
  );
}

const round = (value: number): number => Math.round(value * 10) / 10;
const number = (value: number): string => formatOf(1).format(value);
const gapWords = (count: number): string =>
  count === 0 ? "no gaps" : count === 1 ? "1 gap" : `${count} gaps`;

/** Broken where nothing was measured. */
export function linePath(
  times: readonly number[],
  values: readonly (number | null)[],
  x: (at: number) => number,
  y: (value: number) => number,
): string {
  let path = "";
  let isDown = false;
  for (const [index, value] of values.entries()) {
    const at = times[index];
    if (value !== null && at !== undefined) {
      path += `${isDown ? "L" : "M"}${x(at)} ${y(value)}`;
      // A single point is a line without length, which round line ends make a dot.
      if (!isDown) path += "h0";
    }
    isDown = value !== null;
  }
  return path;
}
