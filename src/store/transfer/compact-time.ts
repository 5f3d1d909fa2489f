import type { Instant } from "../../core/time.ts";

/** Format `20261125T101502Z`: sorts by time, and is a valid file name on every system. */
export const compactTime = (at: Date): string =>
  at
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replaceAll(/[-:]/g, "");

/** Not a number if the text is no time. */
export const timeOfCompact = (text: string): Instant =>
  Date.parse(text.replace(/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/, "$1-$2-$3T$4:$5:$6Z"));
