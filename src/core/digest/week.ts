import { dayMs, hourMs, type Instant } from "../time.ts";

export const weekMs = 7 * dayMs;

/** Monday, 1970-01-05 at 08:00 UTC: weeks are counted from it. */
const firstMonday = 4 * dayMs + 8 * hourMs;

/** A later digest is not sent: its "now" would be another day. */
const latestMs = dayMs;

/** The last Monday 08:00 UTC, `now` included: the end of the newest complete week. */
export const endedWeek = (now: Instant): Instant =>
  Math.floor((now - firstMonday) / weekMs) * weekMs + firstMonday;

export const nextDigestAt = (now: Instant): Instant => endedWeek(now) + weekMs;

/** The end of the week whose digest may be sent; null if it would be more than 24 hours late. */
export function dueWeek(now: Instant): Instant | null {
  const week = endedWeek(now);
  return now - week <= latestMs ? week : null;
}

/** The seven days before `to`, cut to what the plan shows. */
export const digestPeriod = (
  to: Instant,
  retentionDays: number,
  now: Instant,
): { readonly from: Instant; readonly to: Instant } => ({
  from: Math.min(to, Math.max(to - weekMs, now - retentionDays * dayMs)),
  to,
});
