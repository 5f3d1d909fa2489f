import { minuteMs, type Instant } from "../time.ts";
import type { NewEntry } from "./entry.ts";

/** What happened over and over: so many times between two moments. */
export interface Repeated {
  readonly entry: NewEntry;
  readonly at: Instant;
  readonly lastAt: Instant;
  readonly times: number;
}

/** How long after the first failure alike ones are counted with it. */
export const alikeMs = 10 * minuteMs;
