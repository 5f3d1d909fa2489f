import { dayMs, type Instant } from "../time.ts";

/** What a clock on a wall in a time zone shows, as the instant at which a clock in UTC shows the same. */
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

/** The longest name of a zone that is taken; the longest one in use has 32 characters. */
export const longestZone = 64;

/** The name of a time zone as it is written in full, such as `Europe/Berlin`; null when there is no such zone. */
export function timeZoneOf(name: string): string | null {
  // Offsets like +02:00 are known to some versions of Node.js alone, and know no change of the clock.
  if (name.length > longestZone || !/^[a-z]/i.test(name)) return null;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** The clock of a zone at an instant. */
export function wallTimeOf(zone: string, at: Instant): WallTime {
  const parts = { year: 0, month: 1, day: 1, hour: 0, minute: 0, second: 0 };
  for (const { type, value } of formatOf(zone).formatToParts(at))
    if (type in parts) parts[type as keyof typeof parts] = Number(value);
  const { year, month, day, hour, minute, second } = parts;
  const inSecond = ((at % 1000) + 1000) % 1000;
  return Date.UTC(year, month - 1, day, hour, minute, second) + inSecond;
}

/**
 * The instant at which the clock of a zone shows a time: the first one if the clock is set back and shows it twice. A
 * time that the clock skips is as much later as the clock jumps, so that it is a day after the same time of the day
 * before (the rule of RFC 5545, 3.3.5).
 */
export function instantOfWallTime(zone: string, wall: WallTime): Instant {
  const offsetAt = (at: Instant): number => wallTimeOf(zone, at) - at;
  const before = wall - offsetAt(wall - dayMs);
  if (wallTimeOf(zone, before) === wall) return before;
  const after = wall - offsetAt(wall + dayMs);
  return wallTimeOf(zone, after) === wall ? after : before;
}
