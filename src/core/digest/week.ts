import { dayMs, hourMs, type Instant } from "../time.ts";

export const weekMs = 7 * dayMs;

/** Monday, 1970-01-05 at 08:00 UTC. Weeks are counted from it; UTC knows no summer time. */
const firstMonday = 4 * dayMs + 8 * hourMs;

/** A digest that is this late is not sent any more: what it says of now would be of another day. */
const latestMs = dayMs;

/** The last Monday 08:00 UTC, `now` included: the end of the newest week that is over. */
export const endedWeek = (now: Instant): Instant =>
  Math.floor((now - firstMonday) / weekMs) * weekMs + firstMonday;

/** When the next digest is sent. */
export const nextDigestAt = (now: Instant): Instant => endedWeek(now) + weekMs;

/** The end of the week whose digest may be sent at `now`; null where it would be more than 24 hours late. */
export function dueWeek(now: Instant): Instant | null {
  const week = endedWeek(now);
  return now - week <= latestMs ? week : null;
}

/** The seven days before `to`, as far back as the plan shows data. */
export const digestPeriod = (
  to: Instant,
  retentionDays: number,
  now: Instant,
): { readonly from: Instant; readonly to: Instant } => ({
  from: Math.min(to, Math.max(to - weekMs, now - retentionDays * dayMs)),
  to,
});
