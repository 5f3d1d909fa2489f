import { minuteMs, type Instant } from "../time.ts";
import type { NewEntry } from "./entry.ts";

/** An entry that happened `times` times from `at` to `lastAt`. */
export interface Repeated {
  readonly entry: NewEntry;
  readonly at: Instant;
  readonly lastAt: Instant;
  readonly times: number;
}

/** Equal failures within this time after the first are counted with it, ms. */
export const alikeMs = 10 * minuteMs;
