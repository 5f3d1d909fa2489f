/** Sizes of a chart, px; it is shown about 900 px wide. */
export const width = 940;
export const plotLeft = 64;
export const plotRight = 882;
export const headHeight = 62;
export const footHeight = 34;
/** The panel of one field: its heading, and the plot below. */
export const titleHeight = 24;
export const plotHeight = 88;
export const panelHeight = titleHeight + plotHeight + 12;

export const colors = {
  paper: "#ffffff",
  ink: "#1d2733",
  muted: "#667080",
  grid: "#e9ecf0",
  axis: "#c3c9d2",
  line: "#1f5fa8",
  band: "#c9dcf0",
  nominal: "#b0622c",
  gap: "#f4f4f5",
  hatch: "#c5c9d0",
} as const;

/** One decimal: finer steps cannot be seen. */
export const px = (value: number): string => String(Math.round(value * 10) / 10);

export type Scale = (value: number) => number;

export const linear =
  (from: number, to: number, first: number, last: number): Scale =>
  (value) =>
    first + ((value - from) / (to - from)) * (last - first);
