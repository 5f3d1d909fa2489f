import { z } from "zod";
import { minuteMs, type Instant } from "../time.ts";

export const Collectable = z.enum(["class_histogram", "profile"]);
export type Collectable = z.infer<typeof Collectable>;

/** How long a plugin is asked with every heartbeat, unless the upload arrives first, ms. */
export const collectMs = 10 * minuteMs;

/** The end of each request; null if there is none. */
export type Collecting = Readonly<Record<Collectable, Instant | null>>;

/** Null if there is no request now; an end that is too far ahead comes from a clock that was set back. */
export function requestedUntil(until: Instant | null, now: Instant): Instant | null {
  return until !== null && until > now && until <= now + collectMs ? until : null;
}

export const requestedCaptures = (collecting: Collecting, now: Instant): Collectable[] =>
  Collectable.options.filter((what) => requestedUntil(collecting[what], now) !== null);
