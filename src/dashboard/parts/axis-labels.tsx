import { formatOf } from "./value.tsx";

/** The width of the labels, CSS pixels. */
const width = 72;
/** Between two labels there is at least so much, CSS pixels. */
const leastDistance = 28;

/** Round values from 0 up to `most`, so many at most beside the 0. */
export function roundValues(most: number, count: number): number[] {
  const raw = most / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5].find((each) => each * power >= raw) ?? 10) * power;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step);
}

interface AxisLabelsProps {
  readonly most: number;
  readonly unit: string;
  /** The height of the drawing beside it, CSS pixels. */
  readonly height: number;
  readonly y: (value: number) => number;
}

/** The round values of a drawn scale from 0 to `most`. */
export const axisValues = ({ most, height }: Pick<AxisLabelsProps, "most" | "height">): number[] =>
  most > 0 ? roundValues(most, Math.floor(height / leastDistance)) : [];

/** The labels of the values beside a drawing that needs no script: each with its unit. */
export const AxisLabels = ({ most, unit, height, y }: AxisLabelsProps) => (
  <svg class="value-axis" viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
    {axisValues({ most, height }).map((value) => (
      <text key={value} x={width - 6} y={Math.min(height - 2, Math.max(9, y(value) + 4))} text-anchor="end">
        {`${formatOf(2).format(value)} ${unit}`.trim()}
      </text>
    ))}
  </svg>
);

/** Thin lines through a drawing at the values of its axis. */
export const gridPath = (of: Omit<AxisLabelsProps, "unit">, drawingWidth: number): string =>
  axisValues(of)
    .map((value) => `M0 ${of.y(value).toFixed(1)}H${drawingWidth}`)
    .join("");
