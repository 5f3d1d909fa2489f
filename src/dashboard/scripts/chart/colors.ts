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
  /** What is behind a chart. */
  readonly panel: string;
  readonly font: string;
}

/** The colours of the style sheet, as an element has them. */
export function colorsOf(element: Element): ChartColors {
  // A property has the colours of both themes; what an element has of it is the one in use.
  const probe = element.appendChild(document.createElement("i"));
  const color = (name: string) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const { fontFamily } = getComputedStyle(element);
  const colors = {
    line: color("accent"),
    grid: color("line"),
    ink: color("quiet"),
    hatch: color("line-strong"),
    shade: color("shade"),
    nominal: color("watch"),
    alert: color("bad"),
    event: color("ink"),
    panel: color("panel"),
    font: `12px ${fontFamily}`,
  };
  probe.remove();
  return colors;
}

/** A colour at a fifth of its strength. */
export const translucent = (color: string): string => `color-mix(in srgb, ${color} 20%, transparent)`;
