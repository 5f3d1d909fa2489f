import { z } from "zod";
import { Actor } from "../alert/alert.ts";
import { clockToleranceMs } from "../metric/clock.ts";
import { isNewSilence } from "../notice/silence.ts";
import { callerText } from "../text/third-party-text.ts";
import { minuteMs, type Instant } from "../time.ts";

/** A window lasts 5 minutes to a day (the specification's limits). */
export const shortestMinutes = 5;
export const longestMinutes = 1440;

/** The same, ms. */
export const longestWindowMs = longestMinutes * minuteMs;

export const MaintenanceReason = callerText(200);

/** Who started a window: a token, a person in the dashboard, or a recurring maintenance. */
export const MaintenanceStarter = z.enum([...Actor.options, "schedule"]);
export type MaintenanceStarter = z.infer<typeof MaintenanceStarter>;

/** The last window of a server, by our clock. */
export interface MaintenanceRecord {
  readonly serverId: string;
  readonly startedAt: Instant;
  readonly endsAt: Instant;
  /** The end that the owner was last notified of. */
  readonly toldUntil: Instant;
  readonly reason: string | null;
  readonly startedBy: MaintenanceStarter;
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
 * Whether a window holds at `now`. One that begins or ends later than any window could was written while a
 * clock was wrong, and is over: alerts must not stay silent until that clock comes true.
 */
export const holdsAt = (record: MaintenanceRecord | null, now: Instant): record is MaintenanceRecord =>
  record !== null &&
  record.endsAt > now &&
  record.startedAt <= now + clockToleranceMs &&
  record.endsAt <= now + longestWindowMs + clockToleranceMs;

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
  if (!holdsAt(current, now)) {
    const record = { serverId, startedAt: now, endsAt, toldUntil: endsAt, reason, startedBy: by };
    return { record, previousEnd: null, isNews: true };
  }
  const startedAt = Math.min(current.startedAt, now);
  const isNews = isNewSilence(current.toldUntil, endsAt);
  const toldUntil = isNews ? endsAt : current.toldUntil;
  const record = { ...current, startedAt, endsAt, toldUntil, reason: reason ?? current.reason };
  return { record, previousEnd: current.endsAt, isNews };
}
