import { percentUp } from "../health/availability.ts";
import type { Availability } from "../health/health.ts";
import type { PublicDay } from "./public-status.ts";

/** Fewer if the owner's plan shows fewer. */
export const mostStatusDays = 90;

/** A day with less uptime, percent, had a major outage (ours): about an hour and a quarter of a whole day. */
export const majorBelowPercent = 95;

export type DaySeconds = Pick<
  Availability,
  "up_seconds" | "down_seconds" | "stopped_seconds" | "maintenance_seconds"
>;

export function publicDay(day: DaySeconds): PublicDay {
  const { up_seconds: up, down_seconds, stopped_seconds, maintenance_seconds } = day;
  const judged = up + down_seconds;
  if (judged === 0)
    return { kind: stopped_seconds + maintenance_seconds > 0 ? "off" : "unknown", down_seconds };
  if (down_seconds === 0) return { kind: "full", down_seconds };
  return { kind: (up / judged) * 100 < majorBelowPercent ? "major" : "partial", down_seconds };
}

/** Of all days together. */
export function percentOfDays(days: readonly DaySeconds[]): number | null {
  const sum = (field: "up_seconds" | "down_seconds"): number =>
    days.reduce((total, day) => total + day[field], 0);
  return percentUp({ up_seconds: sum("up_seconds"), down_seconds: sum("down_seconds") });
}
