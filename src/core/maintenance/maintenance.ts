import { z } from "zod";
import { Actor } from "../alert/alert.ts";
import { clockToleranceMs } from "../metric/clock.ts";
import { isNewSilence } from "../notice/silence.ts";
import { callerText } from "../text/third-party-text.ts";
import { minuteMs, type Instant } from "../time.ts";

/** The specification's limits: 5 minutes to a day. */
export const shortestMinutes = 5;
export const longestMinutes = 1440;

export const longestWindowMs = longestMinutes * minuteMs;

export const MaintenanceReason = callerText(200);

/** `schedule` stands for recurring maintenance. */
export const MaintenanceStarter = z.enum([...Actor.options, "schedule"]);
export type MaintenanceStarter = z.infer<typeof MaintenanceStarter>;

/** The last window of a server, by the service's clock. */
export interface MaintenanceRecord {
  readonly serverId: string;
  readonly startedAt: Instant;
  readonly endsAt: Instant;
  /** The end that the owner was last notified of. */
  readonly toldUntil: Instant;
  readonly reason: string | null;
  readonly startedBy: MaintenanceStarter;
}

export interface MaintenanceRequest {
  readonly serverId: string;
  readonly durationMinutes: number;
  readonly reason: string | null;
  readonly by: Actor;
  readonly now: Instant;
}

/**
 * Whether a window is in progress. A window that begins or ends later than any window could was written by a
 * wrong clock, and is over: alerts must not stay silent until then.
 */
export const holdsAt = (record: MaintenanceRecord | null, now: Instant): record is MaintenanceRecord =>
  record !== null &&
  record.endsAt > now &&
  record.startedAt <= now + clockToleranceMs &&
  record.endsAt <= now + longestWindowMs + clockToleranceMs;

export interface GrantedWindow {
  readonly record: MaintenanceRecord;
  /** The earlier end of the window in progress; null if this window is new. */
  readonly previousEnd: Instant | null;
  /** Whether the owner must be notified: the window ends later than the owner knows. */
  readonly isNews: boolean;
}

/** Starts a window, or moves the end of the one in progress, which keeps its reason if none is given. */
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
