/**
 * The one word of a page for what is not there. `unknown`: it exists, but we do not know it. `not measured`: a figure
 * that nobody measured. `none`: we looked, and there is nothing. `never`: it did not happen so far.
 */
export const absence = {
  unknown: "unknown",
  notMeasured: "not measured",
  none: "none",
  never: "never",
} as const;

/** What pages wrote for the same; a gate refuses these as the whole of a text. */
export const otherWordsForAbsence: readonly string[] = [
  "-",
  "–",
  "—",
  "n/a",
  "no data",
  "no value",
  "none yet",
  "not available",
  "not known",
  "not set",
  "nothing",
  "nothing yet",
];
