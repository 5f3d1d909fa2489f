import { dayMs, hourMs, minuteMs, parseInstant, type Instant } from "./time.ts";

const unitMs: Readonly<Record<string, number>> = { m: minuteMs, h: hourMs, d: dayMs };

const back = /^-(\d{1,6})([mhd])$/;
const date = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a time depends on the moment it is read at. */
export const isRelativeTime = (text: string): boolean => text === "now" || back.test(text);

/**
 * Reads a time as people and models write it: ISO 8601 with a zone, a date (its start in UTC), `now`, and so long
 * ago: `-90m`, `-24h`, `-7d`. Null for anything else, and for what lies before 1970.
 */
export function readTime(text: string, now: Instant): Instant | null {
  if (text === "now") return now;
  if (date.test(text)) return parseInstant(`${text}T00:00Z`);
  const [, count, unit = ""] = back.exec(text) ?? [];
  if (count === undefined) return parseInstant(text);
  const instant = now - Number(count) * (unitMs[unit] ?? 0);
  return instant < 0 ? null : instant;
}
