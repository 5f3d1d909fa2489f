import { z } from "zod";
import { addition } from "../addition.ts";
import { Id } from "../id.ts";
import { clockToleranceMs } from "../metric/clock.ts";
import { dayMs, minuteMs, toTimestamp, type Instant } from "../time.ts";
import { Timestamp } from "../timestamp.ts";
import {
  holdsAt,
  longestWindowMs,
  MaintenanceReason,
  MaintenanceStarter,
  type MaintenanceRecord,
} from "./maintenance.ts";
import { planned, startsBetween, type RecurringRecord } from "./recurring.ts";

/** What is stored about the maintenance of one server; `maintenanceAt` derives the windows. */
export interface ServerMaintenance {
  /** The last stored window, over or not. */
  readonly last: MaintenanceRecord | null;
  /** Only maintenance that is planned. */
  readonly recurring: readonly RecurringRecord[];
}

export const noMaintenance: ServerMaintenance = { last: null, recurring: [] };

export function maintenanceByServer(
  lasts: readonly MaintenanceRecord[],
  recurring: readonly RecurringRecord[],
): Map<string, ServerMaintenance> {
  const byServer = new Map(
    lasts.map((last) => [last.serverId, { last, recurring: [] } as ServerMaintenance]),
  );
  for (const each of recurring) {
    const known = byServer.get(each.serverId) ?? noMaintenance;
    byServer.set(each.serverId, { ...known, recurring: [...known.recurring, each] });
  }
  return byServer;
}

export interface BegunWindow {
  readonly recurringId: string;
  readonly title: string;
  readonly startedAt: Instant;
  /** Later than planned if another window in progress ends later. */
  readonly endsAt: Instant;
}

/** Windows that began while the service was off are written later, within these limits. */
const missedMs = 31 * dayMs;
const mostMissed = 100;

const isDue = ({ nextStartsAt, plannedAt }: RecurringRecord, now: Instant): boolean =>
  nextStartsAt !== null && nextStartsAt <= now && plannedAt <= now + clockToleranceMs;

const isMisplanned = ({ plannedAt }: RecurringRecord, now: Instant): boolean =>
  plannedAt > now + clockToleranceMs;

/** Whether something must be written: a window began, or a plan was made by a clock that ran ahead. */
export const hasBegun = ({ recurring }: ServerMaintenance, now: Instant): boolean =>
  recurring.some((each) => isDue(each, now) || isMisplanned(each, now));

function startsOf(recurring: RecurringRecord, now: Instant): Instant[] {
  if (!isDue(recurring, now) || recurring.nextStartsAt === null) return [];
  const from = Math.max(recurring.nextStartsAt - 1, now - missedMs);
  return startsBetween(recurring, from, now).slice(-mostMissed);
}

/** The last window, if it is in progress at `from` or began between `from` and `now`. */
function inProgressFrom(
  last: MaintenanceRecord | null,
  from: Instant,
  now: Instant,
): MaintenanceRecord | null {
  const at = Math.max(from, Math.min(last?.startedAt ?? from, now));
  return holdsAt(last, at) ? last : null;
}

/**
 * The maintenance of a server at `now`, and its recurring windows that began since it was stored. Where
 * windows meet, the later end holds. All readers of windows must use this.
 */
export function maintenanceAt(
  written: ServerMaintenance,
  now: Instant,
): ServerMaintenance & { readonly begun: readonly BegunWindow[] } {
  if (!hasBegun(written, now)) return { ...written, begun: [] };
  const starts = written.recurring
    .flatMap((recurring) => startsOf(recurring, now).map((startedAt) => ({ recurring, startedAt })))
    .toSorted((one, other) => one.startedAt - other.startedAt);
  let last = written.last;
  const begun: BegunWindow[] = [];
  for (const { recurring, startedAt } of starts) {
    const { id, serverId, title } = recurring;
    const planEnd = startedAt + recurring.durationMinutes * minuteMs;
    const current = inProgressFrom(last, startedAt, now);
    if (current && current.startedAt >= planEnd) {
      begun.push({ recurringId: id, title, startedAt, endsAt: planEnd });
      continue;
    }
    const endsAt = Math.max(planEnd, current?.endsAt ?? planEnd);
    const fresh = { serverId, startedAt, reason: title, startedBy: "schedule" } as const;
    last = { ...(current ?? fresh), endsAt, toldUntil: Math.max(endsAt, current?.toldUntil ?? endsAt) };
    begun.push({ recurringId: id, title, startedAt, endsAt });
  }
  const recurring = written.recurring.map((each) =>
    isDue(each, now) || isMisplanned(each, now) ? planned(each, now) : each,
  );
  return { last, recurring, begun };
}

/** The window in progress, single or recurring; null if none. */
export function windowAt(written: ServerMaintenance, now: Instant): MaintenanceRecord | null {
  const { last } = maintenanceAt(written, now);
  return holdsAt(last, now) ? last : null;
}

export const isInMaintenance = (written: ServerMaintenance, now: Instant): boolean =>
  windowAt(written, now) !== null;

const UpcomingWindow = z.object({ starts_at: Timestamp, ends_at: Timestamp, reason: MaintenanceReason });

/** All fields of the window are null if none is in progress. */
export const Maintenance = z.object({
  server_id: Id,
  in_progress: z.boolean(),
  started_at: Timestamp.nullable(),
  ends_at: Timestamp.nullable(),
  remaining_seconds: z.int().nullable(),
  reason: MaintenanceReason.nullable(),
  started_by: addition(MaintenanceStarter, ["schedule"]).nullable(),
  /** The next planned window; null if none. */
  upcoming: addition(UpcomingWindow.nullable()),
});
export type Maintenance = z.infer<typeof Maintenance>;

function upcomingOf(recurring: readonly RecurringRecord[]): Maintenance["upcoming"] {
  const [next] = recurring
    .flatMap(({ nextStartsAt: at, durationMinutes, title }) =>
      at === null ? [] : [{ at, until: at + durationMinutes * minuteMs, reason: title }],
    )
    .toSorted((one, other) => one.at - other.at);
  if (!next) return null;
  return { starts_at: toTimestamp(next.at), ends_at: toTimestamp(next.until), reason: next.reason };
}

export function toMaintenance(serverId: string, written: ServerMaintenance, now: Instant): Maintenance {
  const { last, recurring } = maintenanceAt(written, now);
  const upcoming = upcomingOf(recurring);
  if (!holdsAt(last, now)) {
    const none = { started_at: null, ends_at: null, remaining_seconds: null, reason: null, started_by: null };
    return { server_id: serverId, in_progress: false, ...none, upcoming };
  }
  return {
    server_id: serverId,
    in_progress: true,
    started_at: toTimestamp(Math.min(last.startedAt, now)),
    ends_at: toTimestamp(last.endsAt),
    remaining_seconds: Math.ceil(Math.min(last.endsAt - now, longestWindowMs) / 1000),
    reason: last.reason,
    started_by: last.startedBy,
    upcoming,
  };
}
