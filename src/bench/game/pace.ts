import { minuteMs, secondMs } from "../../core/time.ts";

/** How long the game tests wait before they give up, ms. */
export interface Patience {
  /** From the start of the JVM to the end of the world's making: some servers download the game first. */
  readonly start: number;
  /** For the answer of a command. */
  readonly answer: number;
  /** For the generation of one square of chunks, and for the report of one sprint. */
  readonly work: number;
  /** For an orderly end; then the processes are killed. */
  readonly stop: number;
}

export const usualPatience: Patience = {
  start: 10 * minuteMs,
  answer: 30 * secondMs,
  work: 5 * minuteMs,
  stop: 5 * secondMs,
};
