import type { PlanLimits } from "../../core/access/plan.ts";
import type { AlertRecord } from "../../core/alert/alert.ts";
import { findingsOf, lateTicksSince } from "../../core/health/evaluate.ts";
import type { HealthFacts } from "../../core/health/facts.ts";
import { formerState, type FormerState } from "../../core/health/former-state.ts";
import { earlierEventsMs, formerProfileMs, silentMs, tracedMs } from "../../core/health/thresholds.ts";
import { judgedState } from "../../core/health/unclean-end.ts";
import type { ProfileRecord } from "../../core/profile/records.ts";
import { profileTime } from "../../core/profile/show.ts";
import type { MonitoredServer } from "../../core/server/server.ts";
import { derivedStatus } from "../../core/server/status.ts";
import type { Instant } from "../../core/time.ts";
import { selectAlerts } from "../../store/alert/alerts.ts";
import type { Database } from "../../store/engine/database.ts";
import { hasProfileSince, selectProfiles } from "../../store/profile/profiles.ts";

export interface HealthRequest {
  readonly server: MonitoredServer;
  readonly limits: PlanLimits;
  readonly from: Instant;
  readonly to: Instant;
  readonly now: Instant;
  /** When the benchmark regression began; null if there is none. */
  readonly regressionSince: Instant | null;
}

const mostAlerts = 100;

const noFilter = {
  kind: null,
  status: null,
  since: null,
  until: null,
  ruleName: null,
  notified: null,
  channel: null,
} as const;

/** Whether the period ends now, so that the stored state of the server applies to it. */
export const isLive = ({ to, now }: Pick<HealthRequest, "to" | "now">): boolean => now - to < silentMs;

/** How far before a period events are read: they began what lasts into it. */
export const eventsBefore = ({ from, to }: Pick<HealthRequest, "from" | "to">): Instant =>
  Math.min(from, to - tracedMs) - earlierEventsMs;

export const bootBefore = ({ bootTimestamp }: MonitoredServer, to: Instant): Instant | null =>
  bootTimestamp !== null && bootTimestamp <= to ? bootTimestamp : null;

/** The server's state at the end of a period. */
export function stateAtEnd(
  { server, limits, to, now }: Pick<HealthRequest, "server" | "limits" | "to" | "now">,
  { sampleTimes, ...entries }: Pick<HealthFacts, "sampleTimes" | "events" | "transitions">,
): FormerState {
  if (!isLive({ to, now })) return formerState(to, sampleTimes, entries);
  const { state, since } = derivedStatus(server, limits, now);
  const sign = { at: server.lastHeartbeat, bootAt: bootBefore(server, to) };
  return judgedState({ state, stateSince: since }, entries.events, sign);
}

export async function readAlerts(db: Database, request: HealthRequest): Promise<AlertRecord[]> {
  const { server, to } = request;
  const filter = { ...noFilter, serverId: server.id };
  if (isLive(request))
    return db.read(selectAlerts, server.accountId, { ...filter, status: "open" }, null, mostAlerts);
  const former = { ...filter, kind: "threshold", until: to } as const;
  const alerts = await db.read(selectAlerts, server.accountId, former, null, mostAlerts);
  return alerts.filter(({ resolvedAt }) => resolvedAt === null || resolvedAt > to);
}

/** Alerts of thresholds that were open at some time of a stretch, newest first. */
export async function alertsOfStretch(
  db: Database,
  server: MonitoredServer,
  since: Instant,
  until: Instant,
): Promise<AlertRecord[]> {
  const filter = { ...noFilter, kind: "threshold", since, until, serverId: server.id } as const;
  return await db.read(selectAlerts, server.accountId, filter, null, mostAlerts);
}

/** The newest profile of a period; with `trigger` only of that trigger, as others show other moments. */
export async function newestProfile(
  db: Database,
  { id, accountId }: MonitoredServer,
  from: Instant,
  to: Instant,
  trigger: string | null = null,
): Promise<ProfileRecord | null> {
  if (!(await db.read(hasProfileSince, id, from))) return null;
  const filter = { serverId: id, trigger, owner: null, from, to };
  const [newest] = await db.read(selectProfiles, accountId, filter, null, 1);
  return newest ?? null;
}

/** The last profile before the ticks became late, if the newest one is from after that. */
export async function formerProfile(
  db: Database,
  server: MonitoredServer,
  facts: HealthFacts,
): Promise<ProfileRecord | null> {
  const { newestProfile: newest } = facts;
  const since = lateTicksSince(findingsOf(facts));
  if (since === null || newest === null || profileTime(newest) < since) return null;
  return newestProfile(db, server, since - formerProfileMs, since, newest.summary.trigger);
}
