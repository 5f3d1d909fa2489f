import type { Instant } from "../time.ts";
import { retainedFrom } from "./clock.ts";

/** Samples older than this are kept as one row for every five minutes. */
const rawDays = 30;

/** The time one roll-up row stands for; rows begin at its multiples since the Unix epoch. */
export const rollupSeconds = 300;
export const rollupMs = rollupSeconds * 1000;

/** Samples before this instant belong into roll-up rows; whole rows only. */
export const rolledBefore = (now: Instant): Instant => rollupStart(retainedFrom(rawDays, now));

/** Points stay for so long after they left the plan's viewing window: an upgrade finds them again, days. */
const graceDays = 30;

/** Points before this instant are shown by no plan of so many days, and are deleted. */
export const keptFrom = (retentionDays: number, now: Instant): Instant =>
  retainedFrom(retentionDays + graceDays, now);

/** The start of the row that a sample of this instant belongs to. */
export const rollupStart = (sampledAt: Instant): Instant => Math.floor(sampledAt / rollupMs) * rollupMs;

/** What is known of one field at each point; NaN, and a count of 0, where nothing is. */
export interface PointColumn {
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly sum: Float64Array;
  /** How many measured values stand behind the point: 1 for a sample. */
  readonly count: Float64Array;
}

/** Stored points that follow one another in time: samples, or roll-up rows. */
export interface SeriesChunk {
  readonly rolled: boolean;
  /** Milliseconds since the epoch, ascending: of the sample, or of the start of the roll-up row. */
  readonly times: Float64Array;
  /** One for each field, in the order asked for. */
  readonly columns: readonly PointColumn[];
}
