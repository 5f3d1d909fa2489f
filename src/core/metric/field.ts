import { z } from "zod";
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

/** What a field's values are: how answers write them, what is taken from a plugin, and their column in the database. */
const kinds = {
  count: { shown: shownCount, sent: orNull(reportedCount), column: "BIGINT" },
  measure: { shown: shownMeasure, sent: orNull(reportedMeasure), column: "DOUBLE PRECISION" },
  percent: { shown: shownMeasure, sent: orNull(percent), column: "DOUBLE PRECISION" },
  tick_rate: { shown: shownMeasure, sent: orNull(ReportedTps), column: "DOUBLE PRECISION" },
} as const;

type Kind = keyof typeof kinds;

interface Declaration {
  /** The number of its column in blocks. It never changes, and no other field ever gets it: 0 to 199. */
  readonly id: number;
  /** The unit of its values; empty where they are counted, or are ticks a second. */
  readonly unit: "" | "ms" | "s" | "MB" | "%";
  /** What it is measured of. What belongs to the ticks means nothing while the worlds do not tick. */
  readonly of: "ticks" | "players" | "worlds" | "regions" | "process" | "machine";
  /** How two readings of one source in one turn become one: their total, or the larger one; else the later one counts. */
  readonly reduce?: "sum" | "max";
  /**
   * How the values of several points become the one that a series shows. The total of what is counted since the sample
   * before is what happened. A mean of worst values or of 95th percentiles would be neither, so of those the largest is
   * shown. Everything else is averaged.
   */
  readonly shows?: "sum" | "max";
  /**
   * What a difference between two periods means: less or more is better, or neither, as of what is there because of who
   * plays and what was built. `unadjusted` is neither, and compared without regard to the players: it is the load
   * itself, or was set.
   */
  readonly compare: "less" | "more" | "plain" | "unadjusted";
  /** What it is held against: a game ticks 20 times a second, so a tick may take 50 ms. */
  readonly nominal?: 20 | 50;
  /** For people. */
  readonly name: string;
  /** Its value in the examples of the documentation. */
  readonly example: number | null;
  /** The migration that adds its column to the samples; the fields of the first schema have none. */
  readonly migration?: number;
}

/** A measured number: a column in the database and in blocks, of which a series can be drawn. */
export const field = <K extends Kind>(kind: K, declaration: Declaration) => ({
  ...kinds[kind],
  ...declaration,
  measured: true as const,
});

/** Something else in a sample, kept beside its numbers. */
export const detail = <Shown extends z.ZodType, Sent extends z.ZodType>(shown: Shown, sent: Sent) => ({
  shown,
  sent,
  measured: false as const,
});
