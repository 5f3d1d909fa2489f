import type { ComponentChildren } from "preact";

interface LegendSignProps {
  /** The width of the sign, px; it is 12 px high. */
  readonly width?: number;
  /** What the sign stands for. */
  readonly text: string;
  /** The sign, in coordinates of px. */
  readonly children: ComponentChildren;
}

/** One entry of a chart's legend: a sign as the chart draws it, and what it stands for. */
export const LegendSign = ({ width = 24, text, children }: LegendSignProps) => (
  <li>
    <svg viewBox={`0 0 ${width} 12`} width={width} height="12" aria-hidden="true">
      {children}
    </svg>
    {text}
  </li>
);
