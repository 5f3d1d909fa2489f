import type { Instant } from "../time.ts";

export interface Job {
  readonly name: string;
  /** How long after one start the next one is due, ms. */
  readonly everyMs: number;
  /** `previous`: when the run before this one began, by the clock of then; null for the first. */
  readonly run: (previous: Instant | null) => Promise<void>;
}
