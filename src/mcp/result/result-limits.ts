export const rowsAtMost = 25;

/** Default points of a series, without and with a chart, and the most points times fields. */
export const pointsByDefault = 12;
export const pointsDrawn = 30;
export const cellsAtMost = 1200;
