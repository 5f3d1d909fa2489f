import { formatOf } from "./value.tsx";

/** CSS pixels. */
const width = 72;
/** Between two labels, CSS pixels. */
const leastDistance = 28;

/** Round values from 0 up to `most`: the 0, and at most `count` others. */
export function roundValues(most: number, count: number): number[] {
  const raw = most / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5].find((each) => each * power >= raw) ?? 10) * power;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step);
}

interface AxisLabelsProps {
  readonly most: number;
  readonly unit: string;
  /** The height of the drawing beside the labels, CSS pixels. */
  readonly height: number;
  readonly y: (value: number) => number;
}

/** Round values from 0 to `most`. */
export const axisValues = ({ most, height }: Pick<AxisLabelsProps, "most" | "height">): number[] =>
  most > 0 ? roundValues(most, Math.floor(height / leastDistance)) : [];

/** For a drawing that needs no script. */
export const AxisLabels = ({ most, unit, height, y }: AxisLabelsProps) => (
  <svg class="value-axis" viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
    {axisValues({ most, height }).map((value) => (
      <text key={value} x={width - 6} y={Math.min(height - 2, Math.max(9, y(value) + 4))} text-anchor="end">
        {`${formatOf(2).format(value)} ${unit}`.trim()}
      </text>
    ))}
  </svg>
);

/** Thin horizontal lines at the values of the axis. */
export const gridPath = (of: Omit<AxisLabelsProps, "unit">, drawingWidth: number): string =>
  axisValues(of)
    .map((value) => `M0 ${of.y(value).toFixed(1)}H${drawingWidth}`)
    .join("");
