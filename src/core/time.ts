/** Milliseconds since the Unix epoch, UTC: how instants travel inside the service. */
export type Instant = number;

export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** The start of the day (UTC) of an instant. */
export const utcDay = (at: Instant): Instant => Math.floor(at / dayMs) * dayMs;

/** The clocks of a service's own processes differ by less; what is further ahead was written by one set wrong. */
export const ownClockToleranceMs = 60 * secondMs;

/** An instant as every answer writes it: ISO 8601, UTC, milliseconds, `2026-11-20T07:34:00.000Z`. */
export const toTimestamp = (instant: Instant): string => new Date(instant).toISOString();

export const toTimestampOrNull = (instant: Instant | null): string | null =>
  instant === null ? null : toTimestamp(instant);

const isoWithZone =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})$/;

/**
 * Reads ISO 8601 with a zone (`Z` or an offset) to milliseconds since the epoch; null when the text is
 * anything else, a date that does not exist included.
 */
export function parseInstant(text: string): Instant | null {
  if (text.length > 40) return null;
  const match = isoWithZone.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second = "0", fraction = "", zone = "Z"] = match;
  const milliseconds = Number(fraction.padEnd(3, "0").slice(0, 3));
  const local = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    milliseconds,
  );
  const back = new Date(local);
  const exists =
    back.getUTCMonth() === Number(month) - 1 &&
    back.getUTCDate() === Number(day) &&
    Number(hour) <= 23 &&
    Number(minute) <= 59 &&
    Number(second) <= 59;
  if (!exists || Number(year) < 1970) return null;
  const offset = zoneMinutes(zone);
  return offset === null ? null : local - offset * minuteMs;
}

/** Minutes east of UTC; null beyond the 14 hours that exist. */
function zoneMinutes(zone: string): number | null {
  if (zone === "Z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2));
  if (hours > 14 || minutes > 59) return null;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}
