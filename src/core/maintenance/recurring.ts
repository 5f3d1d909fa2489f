import { z } from "zod";
import { fires, longestCron, parseCron } from "../cron.ts";
import { Id } from "../id.ts";
import { callerName, plainText } from "../text/third-party-text.ts";
import { dayMs, hourMs, minuteMs, toTimestamp, toTimestampOrNull, type Instant } from "../time.ts";
import { Timestamp } from "../timestamp.ts";
import { longestMinutes, shortestMinutes } from "./maintenance.ts";
import { instantOfWallTime, longestZone, timeZoneOf, wallTimeOf } from "./zoned-time.ts";

export const recurringMaintenanceInput = {
  title: callerName(80),
  /** Five cron fields, by the clock of `time_zone`. */
  schedule_cron: plainText(longestCron, 1),
  time_zone: plainText(longestZone, 1),
  duration_minutes: z.int().min(shortestMinutes).max(longestMinutes),
};

export const RecurringMaintenance = z.object({
  id: Id,
  server_id: Id,
  ...recurringMaintenanceInput,
  enabled: z.boolean(),
  /** Null while paused. */
  next_starts_at: Timestamp.nullable(),
  created_at: Timestamp,
});
export type RecurringMaintenance = z.infer<typeof RecurringMaintenance>;

export interface Recurrence {
  readonly cron: string;
  readonly timeZone: string;
}

export interface RecurringRecord extends Recurrence {
  readonly id: string;
  readonly serverId: string;
  readonly title: string;
  readonly durationMinutes: number;
  readonly enabled: boolean;
  /** The first window that is not written yet; null if none is planned. */
  readonly nextStartsAt: Instant | null;
  /** When `nextStartsAt` was computed; a plan made by a clock that ran ahead is made anew. */
  readonly plannedAt: Instant;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** Limit for one server: each is read with the server's maintenance. */
export const mostRecurring = 20;

/** How far ahead a window is searched: the longest time between two leap days. */
const horizonMs = (8 * 366 + 1) * dayMs;

/** Schedules are checked for a year: then they repeat, except for days of the week. */
const comparedMs = 366 * dayMs;

/** Least time between two starts: more often would be permanent maintenance. */
const shortestGapMs = hourMs;

/** No clock is set by more, except for zones that crossed the date line. */
const mostSetMs = 3 * hourMs;

/** Starts later than `after` and not later than `until`, in order. */
export function startsBetween({ cron, timeZone }: Recurrence, after: Instant, until: Instant): Instant[] {
  const parsed = parseCron(cron);
  if (!parsed) return [];
  const from = wallTimeOf(timeZone, after) - mostSetMs;
  const starts = new Set<Instant>();
  for (const wall of fires(parsed, from, wallTimeOf(timeZone, until) + mostSetMs)) {
    const at = instantOfWallTime(timeZone, wall);
    if (at > after && at <= until) starts.add(at);
  }
  return [...starts].toSorted((one, other) => one - other);
}

/** The first start later than `after`; null if there is none within eight years. */
export function nextStart(recurrence: Recurrence, after: Instant): Instant | null {
  const parsed = parseCron(recurrence.cron);
  if (!parsed) return null;
  const from = wallTimeOf(recurrence.timeZone, after);
  for (const wall of fires(parsed, from - mostSetMs, from + horizonMs)) {
    const at = instantOfWallTime(recurrence.timeZone, wall);
    // A skipped local time may fall behind a later one.
    if (at > after) return startsBetween(recurrence, after, at)[0] ?? at;
  }
  return null;
}

/** Plans the next window from `now` on; none while paused. */
export const planned = <T extends Recurrence & { readonly enabled: boolean }>(
  recurring: T,
  now: Instant,
): T & { nextStartsAt: Instant | null; plannedAt: Instant } => ({
  ...recurring,
  nextStartsAt: recurring.enabled ? nextStart(recurring, now) : null,
  plannedAt: now,
});

/** `time_zone` gets the present canonical name of its zone. */
export const normalRecurrence = ({ cron, timeZone }: Recurrence): Recurrence => ({
  cron: cron.trim(),
  timeZone: timeZoneOf(timeZone) ?? timeZone,
});

interface RecurrenceProblem {
  readonly field: "schedule_cron" | "time_zone" | "duration_minutes";
  readonly message: string;
}

/** The first problem; null if the times are valid. */
export function recurrenceProblem(
  { cron, timeZone, durationMinutes }: Recurrence & { readonly durationMinutes: number },
  now: Instant,
): RecurrenceProblem | null {
  if (timeZoneOf(timeZone) === null) {
    const message = "time_zone takes the name of a time zone, such as Europe/Berlin or UTC.";
    return { field: "time_zone", message };
  }
  const parsed = parseCron(cron);
  if (!parsed) {
    const message =
      "schedule_cron takes five fields: minute, hour, day of month, month and day of week, such as 30 2 * * MON.";
    return { field: "schedule_cron", message };
  }
  if (nextStart({ cron, timeZone }, now) === null)
    return { field: "schedule_cron", message: "schedule_cron takes a schedule that comes true on some day." };
  let last: Instant | null = null;
  for (const at of fires(parsed, now, now + comparedMs)) {
    if (last !== null && at - last < shortestGapMs) {
      const message = "schedule_cron takes a schedule whose windows begin at least 60 minutes apart.";
      return { field: "schedule_cron", message };
    }
    if (last !== null && at - last <= durationMinutes * minuteMs) {
      const message =
        "duration_minutes must be shorter than the time from one window to the next: otherwise nobody would ever be notified.";
      return { field: "duration_minutes", message };
    }
    last = at;
  }
  return null;
}

export const toRecurringMaintenance = (record: RecurringRecord): RecurringMaintenance => ({
  id: record.id,
  server_id: record.serverId,
  title: record.title,
  schedule_cron: record.cron,
  time_zone: record.timeZone,
  duration_minutes: record.durationMinutes,
  enabled: record.enabled,
  next_starts_at: toTimestampOrNull(record.nextStartsAt),
  created_at: toTimestamp(record.createdAt),
});
