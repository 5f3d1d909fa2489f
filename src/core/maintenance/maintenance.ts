import { z } from "zod";
import { Actor } from "../alert/alert.ts";
import { Id } from "../id.ts";
import { clockToleranceMs } from "../metric/clock.ts";
import { isNewSilence } from "../notice/silence.ts";
import { callerText } from "../text/third-party-text.ts";
import { minuteMs, toTimestamp, type Instant } from "../time.ts";
import { Timestamp } from "../timestamp.ts";

/** A window lasts 5 minutes to a day (the specification's limits). */
export const shortestMinutes = 5;
export const longestMinutes = 1440;

const longestMs = longestMinutes * minuteMs;

export const MaintenanceReason = callerText(200);

/** Whether a window is in progress; everything about it is null when none is. */
export const Maintenance = z.object({
  server_id: Id,
  in_progress: z.boolean(),
  started_at: Timestamp.nullable(),
  ends_at: Timestamp.nullable(),
  remaining_seconds: z.int().nullable(),
  reason: MaintenanceReason.nullable(),
  started_by: Actor.nullable(),
});
export type Maintenance = z.infer<typeof Maintenance>;

/** The last window of a server, by our clock. */
export interface MaintenanceRecord {
  readonly serverId: string;
  readonly startedAt: Instant;
  readonly endsAt: Instant;
  /** The end that the owner was last notified of. */
  readonly toldUntil: Instant;
  readonly reason: string | null;
  readonly startedBy: Actor;
}

/** A window somebody asks for; `reason` null: none was given. */
export interface MaintenanceRequest {
  readonly serverId: string;
  readonly durationMinutes: number;
  readonly reason: string | null;
  readonly by: Actor;
  readonly now: Instant;
}

/**
 * Whether the window holds at `now`. One that begins or ends later than any window could was written while a
 * clock was wrong, and is over: alerts must not stay silent until that clock comes true.
 */
export const isInMaintenance = (
  record: MaintenanceRecord | null,
  now: Instant,
): record is MaintenanceRecord =>
  record !== null &&
  record.endsAt > now &&
  record.startedAt <= now + clockToleranceMs &&
  record.endsAt <= now + longestMs + clockToleranceMs;

export interface GrantedWindow {
  readonly record: MaintenanceRecord;
  /** When the window that was in progress would have ended; null when none was and this one started. */
  readonly previousEnd: Instant | null;
  /** Whether it silences more than its owner knows of. */
  readonly isNews: boolean;
}

/** The window after a request: a new one, or the one in progress with its end moved, a reason not given kept. */
export function requestWindow(
  current: MaintenanceRecord | null,
  { serverId, durationMinutes, reason, by, now }: MaintenanceRequest,
): GrantedWindow {
  const endsAt = now + durationMinutes * minuteMs;
  if (!isInMaintenance(current, now)) {
    const record = { serverId, startedAt: now, endsAt, toldUntil: endsAt, reason, startedBy: by };
    return { record, previousEnd: null, isNews: true };
  }
  const startedAt = Math.min(current.startedAt, now);
  const isNews = isNewSilence(current.toldUntil, endsAt);
  const toldUntil = isNews ? endsAt : current.toldUntil;
  const record = { ...current, startedAt, endsAt, toldUntil, reason: reason ?? current.reason };
  return { record, previousEnd: current.endsAt, isNews };
}

export function toMaintenance(serverId: string, record: MaintenanceRecord | null, now: Instant): Maintenance {
  if (!isInMaintenance(record, now)) {
    const none = { started_at: null, ends_at: null, remaining_seconds: null, reason: null, started_by: null };
    return { server_id: serverId, in_progress: false, ...none };
  }
  return {
    server_id: serverId,
    in_progress: true,
    started_at: toTimestamp(Math.min(record.startedAt, now)),
    ends_at: toTimestamp(record.endsAt),
    remaining_seconds: Math.ceil(Math.min(record.endsAt - now, longestMs) / 1000),
    reason: record.reason,
    started_by: record.startedBy,
  };
}
