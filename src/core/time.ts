/** Milliseconds since the Unix epoch, UTC. */
export type Instant = number;

export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export const utcDay = (at: Instant): Instant => Math.floor(at / dayMs) * dayMs;

/** The clocks of a service's own processes differ by less; a time further ahead is from a wrong clock. */
export const ownClockToleranceMs = 60 * secondMs;

const digits = (count: number, length: number): readonly string[] =>
  Array.from({ length: count }, (_, number) => String(number).padStart(length, "0"));

const [twoDigits, threeDigits] = [digits(60, 2), digits(1000, 3)];

/** Cached days, counted from 1970, and the text of each up to and with its T. */
const writtenDays: number[] = Array.from({ length: 8 }, () => Number.NaN);
const writtenDates: string[] = writtenDays.map(() => "");

/** As `2026-11-20T07:34:00.000Z`. `Date.toISOString` took 5 % of a call, so the text of days is cached. */
export function toTimestamp(instant: Instant): string {
  const whole = Math.trunc(instant);
  const day = Math.floor(whole / dayMs);
  const slot = day & (writtenDays.length - 1);
  if (day !== writtenDays[slot]) {
    writtenDates[slot] = new Date(day * dayMs).toISOString().slice(0, -"00:00:00.000Z".length);
    writtenDays[slot] = day;
  }
  const ofDay = whole - day * dayMs;
  const milliseconds = ofDay % secondMs;
  const seconds = ((ofDay - milliseconds) / secondMs) % 60;
  const minutes = Math.floor(ofDay / minuteMs) % 60;
  const hours = Math.floor(ofDay / hourMs);
  return `${writtenDates[slot]}${twoDigits[hours]}:${twoDigits[minutes]}:${twoDigits[seconds]}.${threeDigits[milliseconds]}Z`;
}

export const toTimestampOrNull = (instant: Instant | null): string | null =>
  instant === null ? null : toTimestamp(instant);

const isoWithZone =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})$/;

/** ISO 8601 with a zone (`Z` or an offset); null for anything else, also a date that does not exist. */
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

/** Minutes east of UTC; null beyond 14 hours, the largest offset that exists. */
function zoneMinutes(zone: string): number | null {
  if (zone === "Z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2));
  if (hours > 14 || minutes > 59) return null;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}
