import { minuteMs, secondMs } from "../../core/time.ts";

/** How long game tests wait before they give up, ms. */
export interface Patience {
  /** From the JVM's start until the world is made: some servers download the game first. */
  readonly start: number;
  /** For the answer to a command. */
  readonly answer: number;
  /** For one square of chunks, or the report of one sprint. */
  readonly work: number;
  /** For an orderly end, before the processes are killed. */
  readonly stop: number;
}

export const usualPatience: Patience = {
  start: 10 * minuteMs,
  answer: 30 * secondMs,
  work: 5 * minuteMs,
  stop: 5 * secondMs,
};
