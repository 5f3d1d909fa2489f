import { dayMs, hourMs, minuteMs, parseInstant, type Instant } from "./time.ts";

const unitMs: Readonly<Record<string, number>> = { m: minuteMs, h: hourMs, d: dayMs };

const back = /^-(\d{1,6})([mhd])$/;
const date = /^\d{4}-\d{2}-\d{2}$/;

/** Whether the text depends on the current time. */
export const isRelativeTime = (text: string): boolean => text === "now" || back.test(text);

/** ISO 8601 with a zone, a date (UTC), `now`, or an age such as `-24h`; null for others, or before 1970. */
export function readTime(text: string, now: Instant): Instant | null {
  if (text === "now") return now;
  if (date.test(text)) return parseInstant(`${text}T00:00Z`);
  const [, count, unit = ""] = back.exec(text) ?? [];
  if (count === undefined) return parseInstant(text);
  const instant = now - Number(count) * (unitMs[unit] ?? 0);
  return instant < 0 ? null : instant;
}
