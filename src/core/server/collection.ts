import { z } from "zod";
import { minuteMs, type Instant } from "../time.ts";

/** What a plugin is asked to take and upload: a CPU profile, or what stands in the heap, class by class. */
export const Collectable = z.enum(["class_histogram", "profile"]);
export type Collectable = z.infer<typeof Collectable>;

/** So long a plugin is asked with every heartbeat, unless the upload comes before. */
export const collectMs = 10 * minuteMs;

/** Until when a plugin is asked for each; null while it is not. */
export type Collecting = Readonly<Record<Collectable, Instant | null>>;

/** Until when it is asked for now. A clock that was set back asks nobody for longer than it would. */
export function requestedUntil(until: Instant | null, now: Instant): Instant | null {
  return until !== null && until > now && until <= now + collectMs ? until : null;
}

/** What a plugin is asked for at this moment. */
export const requestedCaptures = (collecting: Collecting, now: Instant): Collectable[] =>
  Collectable.options.filter((what) => requestedUntil(collecting[what], now) !== null);
