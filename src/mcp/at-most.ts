/** Rows a tool returns unless asked otherwise, and rows it returns at most. */
export const rowsByDefault = 10;
export const rowsAtMost = 25;

/** Points of a series a tool returns unless asked otherwise, and points times fields it returns at most. */
export const pointsByDefault = 30;
export const cellsAtMost = 1200;
