import type { Availability } from "../health/health.ts";
import type { PublicDay } from "./public-status.ts";

/** Days on a status page, at most; fewer where the owner's plan shows fewer. */
export const mostStatusDays = 90;

/** Below so many percent of the time up a day was one of a major outage (ours): an hour and a quarter of a whole day. */
export const majorBelowPercent = 95;

/** The seconds of a day that count, as `Availability` has them. */
export type DaySeconds = Pick<
  Availability,
  "up_seconds" | "down_seconds" | "stopped_seconds" | "maintenance_seconds"
>;

/** A day as a status page shows it. */
export function publicDay(day: DaySeconds): PublicDay {
  const { up_seconds: up, down_seconds, stopped_seconds, maintenance_seconds } = day;
  const judged = up + down_seconds;
  if (judged === 0)
    return { kind: stopped_seconds + maintenance_seconds > 0 ? "off" : "unknown", down_seconds };
  if (down_seconds === 0) return { kind: "full", down_seconds };
  return { kind: (up / judged) * 100 < majorBelowPercent ? "major" : "partial", down_seconds };
}

/** Up, of what was up or down, floored to two decimals, so that 100 % is never said of an outage. */
export function percentOfDays(days: readonly DaySeconds[]): number | null {
  const up = days.reduce((sum, day) => sum + day.up_seconds, 0);
  const down = days.reduce((sum, day) => sum + day.down_seconds, 0);
  return up + down === 0 ? null : Math.floor((up / (up + down)) * 10_000) / 100;
}
