import type { ComponentChildren } from "preact";

interface LegendSignProps {
  /** The sign's width, px; its height is 12 px. */
  readonly width?: number;
  readonly text: string;
  /** SVG in px. */
  readonly children: ComponentChildren;
}

/** An entry of a chart's legend, with its sign as in the chart. */
export const LegendSign = ({ width = 24, text, children }: LegendSignProps) => (
  <li>
    <svg viewBox={`0 0 ${width} 12`} width={width} height="12" aria-hidden="true">
      {children}
    </svg>
    {text}
  </li>
);
