/** The colours and the typeface of a chart. */
export interface ChartColors {
  readonly line: string;
  readonly grid: string;
  readonly ink: string;
  readonly hatch: string;
  readonly shade: string;
  readonly nominal: string;
  readonly alert: string;
  readonly event: string;
  readonly font: string;
}

/** The colours of the style sheet, as an element has them. */
export function colorsOf(element: Element): ChartColors {
  const style = getComputedStyle(element);
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    line: color("accent"),
    grid: color("line"),
    ink: color("quiet"),
    hatch: color("line-strong"),
    shade: color("shade"),
    nominal: color("watch"),
    alert: color("bad"),
    event: color("ink"),
    font: `12px ${style.fontFamily}`,
  };
}

/** A colour of the style sheet at a fifth of its strength. */
export function translucent(color: string): string {
  const probe = document.createElement("canvas").getContext("2d");
  if (!probe) return "transparent";
  probe.fillStyle = color;
  return `${String(probe.fillStyle)}33`;
}
