import type { Instant } from "../../core/time.ts";

/** `20261125T101502Z`: sorts by time, and stands in a file name on every system. */
export const compactTime = (at: Date): string =>
  at
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replaceAll(/[-:]/g, "");

/** The instant of such a text; not a number where it names none. */
export const timeOfCompact = (text: string): Instant =>
  Date.parse(text.replace(/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/, "$1-$2-$3T$4:$5:$6Z"));
