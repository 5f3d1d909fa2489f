import type { Plans } from "../access/plan.ts";
import type { Instant } from "../time.ts";
import type { SeriesChunk } from "./chunk.ts";
import type { SeriesField } from "./sample.ts";

/** Stored measurements as series read them, and their upkeep. */
export interface SeriesStore {
  /**
   * A server's points from `from` (inclusive) to `to` (exclusive) in order of time, in chunks of some thousand
   * values. Between two chunks everybody else gets the thread.
   */
  points(
    serverId: string,
    from: Instant,
    to: Instant,
    fields: readonly SeriesField[],
  ): AsyncIterable<SeriesChunk>;
  /**
   * Makes roll-up rows of samples that are old enough (`rolledBefore`), a short transaction a step, and tells how
   * many samples each one moved. May be left after any step, and run by several processes at once: a sample is
   * either itself or part of a row, never both.
   */
  rollUp(now: Instant): AsyncIterable<number>;
  /**
   * Deletes points that nobody's plan shows any more (`keptFrom`), a short transaction a step, and tells how many
   * each one deleted. May be left after any step.
   */
  prune(now: Instant, plans: Plans): AsyncIterable<number>;
}
