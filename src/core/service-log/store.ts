import type { TimePosition } from "../position.ts";
import { minuteMs, type Instant } from "../time.ts";
import type { NewEntry, ServiceLogEntry } from "./entry.ts";

/** What happened over and over: so many times between two moments. */
export interface Repeated {
  readonly entry: NewEntry;
  readonly at: Instant;
  readonly lastAt: Instant;
  readonly times: number;
}

/** What happened to the service itself. Acts of people are written by the stores that do them. */
export interface ServiceLogStore {
  /** Something the service did of its own accord. */
  record(entry: NewEntry, now: Instant): Promise<void>;
  /** The same of what repeats itself: alike ones within `alikeMs` of the first are one entry with a number. */
  count(repeated: readonly Repeated[]): Promise<void>;
  /** Newest first. */
  list(after: TimePosition | null, limit: number): Promise<ServiceLogEntry[]>;
}

/** So long after the first failure alike ones are told with it. */
export const alikeMs = 10 * minuteMs;
