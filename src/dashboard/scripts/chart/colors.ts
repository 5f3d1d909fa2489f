import { readColors } from "../look/theme.ts";

export interface ChartColors {
  readonly line: string;
  readonly grid: string;
  readonly ink: string;
  readonly hatch: string;
  readonly shade: string;
  readonly nominal: string;
  readonly alert: string;
  readonly event: string;
  /** The background of a chart. */
  readonly panel: string;
  readonly font: string;
}

/** Of the style sheet, as the element has them. */
export function colorsOf(element: Element): ChartColors {
  const read = readColors(element, [
    "accent",
    "line",
    "quiet",
    "line-strong",
    "shade",
    "watch",
    "bad",
    "ink",
    "panel",
  ]);
  return {
    line: read.accent,
    grid: read.line,
    ink: read.quiet,
    hatch: read["line-strong"],
    shade: read.shade,
    nominal: read.watch,
    alert: read.bad,
    event: read.ink,
    panel: read.panel,
    font: `12px ${getComputedStyle(element).fontFamily}`,
  };
}

/** At a fifth of its strength. */
export const translucent = (color: string): string => `color-mix(in srgb, ${color} 20%, transparent)`;
