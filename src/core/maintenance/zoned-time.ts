import { dayMs, type Instant } from "../time.ts";

/** Local time of a zone, as the instant at which UTC shows the same. */
export type WallTime = number;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(zone, made);
  return made;
}

/** Limit for a name; the longest in use has 32 characters. */
export const longestZone = 64;

/** The canonical name of a time zone, such as `Europe/Berlin`; null if there is none. */
export function timeZoneOf(name: string): string | null {
  // Only some versions of Node.js accept offsets like +02:00, and they have no summer time.
  if (name.length > longestZone || !/^[a-z]/i.test(name)) return null;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

export function wallTimeOf(zone: string, at: Instant): WallTime {
  const parts = { year: 0, month: 1, day: 1, hour: 0, minute: 0, second: 0 };
  for (const { type, value } of formatOf(zone).formatToParts(at))
    if (type in parts) parts[type as keyof typeof parts] = Number(value);
  const { year, month, day, hour, minute, second } = parts;
  const inSecond = ((at % 1000) + 1000) % 1000;
  return Date.UTC(year, month - 1, day, hour, minute, second) + inSecond;
}

/**
 * The instant at which a zone's clock shows a time; the first if it shows the time twice. A skipped time is
 * moved by the jump of the clock, so that it is a day after the same time of the day before (RFC 5545,
 * 3.3.5).
 */
export function instantOfWallTime(zone: string, wall: WallTime): Instant {
  const offsetAt = (at: Instant): number => wallTimeOf(zone, at) - at;
  const before = wall - offsetAt(wall - dayMs);
  if (wallTimeOf(zone, before) === wall) return before;
  const after = wall - offsetAt(wall + dayMs);
  return wallTimeOf(zone, after) === wall ? after : before;
}
