/** Rows a tool returns at most. */
export const rowsAtMost = 25;

/** Points of a series a tool returns unless asked otherwise, alone and drawn, and points times fields at most. */
export const pointsByDefault = 12;
export const pointsDrawn = 30;
export const cellsAtMost = 1200;
