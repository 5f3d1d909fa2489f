import { z } from "zod";
import { addition } from "../addition.ts";
import { orNull, ReportedTps } from "../reported.ts";

// Wide enough for any machine, narrow enough that sums stay exact integers.
const largestCount = 1_000_000_000_000;

export const reportedCount = z.int().min(0).max(largestCount);
export const reportedMeasure = z.number().min(0).max(largestCount);
/** Process CPU over a short window reads a little above 100 %; beyond 105 it is a mistake. */
const percent = z
  .number()
  .min(0)
  .max(105)
  .transform((value) => Math.min(value, 100));

export const shownCount = z.int().nullable();
export const shownMeasure = z.number().nullable();

/** How answers write the values, which values plugins may send, and the column in the database. */
const kinds = {
  count: { shown: shownCount, sent: orNull(reportedCount), column: "BIGINT" },
  measure: { shown: shownMeasure, sent: orNull(reportedMeasure), column: "DOUBLE PRECISION" },
  percent: { shown: shownMeasure, sent: orNull(percent), column: "DOUBLE PRECISION" },
  tick_rate: { shown: shownMeasure, sent: orNull(ReportedTps), column: "DOUBLE PRECISION" },
} as const;

type Kind = keyof typeof kinds;

interface Declaration {
  /** The number of its column in blocks, 0 to 199. It never changes, and no other field ever gets it. */
  readonly id: number;
  /** Empty for counts and ticks per second. */
  readonly unit: "" | "ms" | "s" | "MB" | "%";
  /** The source of the values. Those of `ticks` mean nothing while the worlds do not tick. */
  readonly of: "ticks" | "players" | "worlds" | "regions" | "process" | "machine";
  /** How two readings of one source in one turn are combined; by default the later one counts. */
  readonly reduce?: "sum" | "max";
  /** How a series combines points; by default the mean. A mean of worst values would be no worst value. */
  readonly shows?: "sum" | "max";
  /**
   * What a difference between periods means; by `plain` and `unadjusted` nothing is better. `unadjusted` is
   * compared without regard to the number of players, because it is the load itself or a setting.
   */
  readonly compare: "less" | "more" | "plain" | "unadjusted";
  /** The reference value: a game ticks 20 times a second, so a tick may take 50 ms. */
  readonly nominal?: 20 | 50;
  /** For people. */
  readonly name: string;
  /** Its value in the examples of the documentation. */
  readonly example: number | null;
  /** The migration that adds its column; fields of the first schema have none. */
  readonly migration?: number;
}

/** A measured number: it has a column in the database and in blocks, and can be drawn as a series. */
export const field = <K extends Kind>(kind: K, declaration: Declaration) => ({
  ...kinds[kind],
  ...declaration,
  // The documented API has the fields of the first schema.
  ...(declaration.migration !== undefined && { shown: addition(kinds[kind].shown) }),
  measured: true as const,
});

/** Anything else in a sample, stored beside its numbers. */
export const detail = <Shown extends z.ZodType, Sent extends z.ZodType>(shown: Shown, sent: Sent) => ({
  shown,
  sent,
  measured: false as const,
});
