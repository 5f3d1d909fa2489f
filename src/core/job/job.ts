import type { Instant } from "../time.ts";

export interface Job {
  readonly name: string;
  /** From one start to the next, ms. */
  readonly everyMs: number;
  /** `previous`: start of the previous run, by the clock of that time; null for the first run. */
  readonly run: (previous: Instant | null) => Promise<void>;
}
