import { z } from "zod";
import type { PlanLimits } from "../access/plan.ts";
import { addition } from "../addition.ts";
import { AlertMetric } from "../alert/alert-rule.ts";
import { groupedBy } from "../grouped.ts";
import { areTicksLate } from "../health/late-ticks.ts";
import { HealthSummary, healthSummaryOf } from "../health/health-summary.ts";
import type { StoredHealth } from "../health/stored-health.ts";
import { Id } from "../id.ts";
import { noMaintenance, windowAt, type ServerMaintenance } from "../maintenance/server-maintenance.ts";
import type { MonitoredServer } from "../server/server.ts";
import { derivedStatus, serverStatus, ServerStatus, type ServerState } from "../server/status.ts";
import { sortedInSteps } from "../sorted-in-steps.ts";
import { callerName, thirdPartyText } from "../text/third-party-text.ts";
import { toTimestamp, type Instant } from "../time.ts";
import { Timestamp } from "../timestamp.ts";
import { fleetStandingOf, worstServerFirst, type FleetStanding } from "./fleet-standing.ts";

const ProgressStatus = z.enum(["open", "acknowledged"]);

const OpenAlert = z.object({
  id: Id,
  rule_id: Id,
  rule_name: callerName(80),
  metric: AlertMetric,
  status: ProgressStatus,
  opened_at: Timestamp,
  value: z.number().nullable(),
});

const ServerOverview = z.object({
  ...ServerStatus.shape,
  name: thirdPartyText(80).nullable(),
  group_id: addition(Id.nullable()),
  /** Null while no window is in progress. */
  maintenance_ends_at: addition(Timestamp.nullable()),
  open_alerts: z.array(OpenAlert),
  /** Of both kinds: threshold rules and rules on events. */
  enabled_rules: addition(z.int()),
  health: addition(HealthSummary),
});
type ServerOverview = z.infer<typeof ServerOverview>;

const count = z.int();
const ByState = z.object({
  running: count,
  unresponsive: count,
  paused_empty: count,
  stopped: count,
  paused: count,
  unreachable: count,
  never_seen: count,
  not_monitored: count,
} satisfies Record<ServerState, typeof count>);

const Totals = z.object({
  servers: count,
  online: count,
  offline: count,
  not_monitored: count,
  by_state: ByState,
  players: count,
  open_alerts: count,
  /** Monitored servers without an enabled rule. */
  unwatched: addition(count),
});
type Totals = z.infer<typeof Totals>;

/** Worst servers first; the totals count these servers and those that `top` leaves out. */
export const MonitoringOverview = z.object({
  generated_at: Timestamp,
  data: z.array(ServerOverview),
  more_servers: addition(count.describe("Servers that `top` leaves out.")),
  totals: Totals,
});
export type MonitoringOverview = z.infer<typeof MonitoringOverview>;

/** A threshold alert that is not over. */
export interface ProgressingAlert {
  readonly id: string;
  readonly serverId: string;
  readonly ruleId: string;
  readonly ruleName: string;
  readonly metric: AlertMetric;
  readonly status: z.infer<typeof ProgressStatus>;
  readonly openedAt: Instant;
  readonly value: number | null;
}

export interface Fleet {
  readonly servers: readonly MonitoredServer[];
  /** Those of a server newest first. */
  readonly alerts: readonly ProgressingAlert[];
  /** By server id; a server without maintenance has no entry. */
  readonly maintenance: ReadonlyMap<string, ServerMaintenance>;
  /** By server id: the newest evaluation. */
  readonly health: ReadonlyMap<string, StoredHealth>;
  /** By server id: how many rules are enabled, of both kinds; a server without one has no entry. */
  readonly enabledRules: ReadonlyMap<string, number>;
}

export interface OverviewOptions {
  readonly includeUnmonitored: boolean;
  /** Only the monitored servers that have an enabled rule (`true`), or have none (`false`); null for all. */
  readonly watched: boolean | null;
}

/** Whether an enabled rule watches a server; null for one that is not monitored, whose rules are paused. */
export const isWatched = ({
  state,
  enabled_rules,
}: Pick<ServerOverview, "state" | "enabled_rules">): boolean | null =>
  state === "not_monitored" ? null : enabled_rules > 0;

function totalsOf(standings: readonly FleetStanding[]): Totals {
  const totals: Totals = {
    servers: standings.length,
    online: 0,
    offline: 0,
    not_monitored: 0,
    by_state: {
      running: 0,
      unresponsive: 0,
      paused_empty: 0,
      stopped: 0,
      paused: 0,
      unreachable: 0,
      never_seen: 0,
      not_monitored: 0,
    },
    players: 0,
    open_alerts: 0,
    unwatched: 0,
  };
  for (const { status, state, players, openAlerts, isWatched } of standings) {
    totals[status] += 1;
    totals.by_state[state] += 1;
    totals.players += players;
    totals.open_alerts += openAlerts;
    if (isWatched === false) totals.unwatched += 1;
  }
  return totals;
}

interface KnownOf {
  readonly alerts: readonly ProgressingAlert[];
  readonly maintenance: ServerMaintenance;
  readonly health: StoredHealth | null;
  readonly enabledRules: number;
}

function rowOf(
  server: MonitoredServer,
  { alerts, maintenance, health, enabledRules }: KnownOf,
  limits: PlanLimits,
  now: Instant,
): ServerOverview {
  const window = windowAt(maintenance, now);
  const { headline: _, ...summary } = healthSummaryOf(
    health,
    derivedStatus(server, limits, now),
    server.lastHeartbeat,
    now,
  );
  // Assigned, not spread, for speed: this runs for every server of the account.
  return Object.assign(serverStatus(server, limits, now), {
    name: server.name,
    group_id: server.groupId,
    maintenance_ends_at: window && toTimestamp(window.endsAt),
    open_alerts: alerts.map(({ id, ruleId, ruleName, metric, status, openedAt, value }) => ({
      id,
      rule_id: ruleId,
      rule_name: ruleName,
      metric,
      status,
      opened_at: toTimestamp(openedAt),
      value,
    })),
    enabled_rules: enabledRules,
    health: summary,
  });
}

/** Servers between two yields. */
const portion = 200;

/** The standing of all that a list counts, and the servers that it shows, in order, with all that is known of them. */
export interface FleetHead {
  readonly standings: readonly FleetStanding[];
  readonly listed: readonly FleetStanding[];
  readonly fleet: Fleet;
}

export const isAmong = ({ isWatched }: FleetStanding, { watched }: OverviewOptions): boolean =>
  watched === null || isWatched === watched;

/** All servers of a fleet of which everything is known; yields after each portion. */
export function* wholeFleetSteps(
  fleet: Fleet,
  options: OverviewOptions,
  limits: PlanLimits,
  now: Instant,
): Generator<void, FleetHead> {
  const standings: FleetStanding[] = [];
  const alerts = groupedBy(fleet.alerts, ({ serverId }) => serverId);
  let made = 0;
  for (const server of fleet.servers) {
    const { id, sample } = server;
    if (!server.monitoringEnabled && !options.includeUnmonitored) continue;
    const known = {
      playerCount: sample?.player_count ?? null,
      areTicksLate: sample !== null && areTicksLate(sample),
      health: fleet.health.get(id) ?? null,
      openAlerts: alerts.get(id)?.length ?? 0,
      hasEnabledRule: fleet.enabledRules.has(id),
    };
    const standing = fleetStandingOf(server, known, limits, now);
    if (isAmong(standing, options)) standings.push(standing);
    made += 1;
    if (made % portion === 0) yield;
  }
  return { standings, listed: yield* sortedInSteps(standings, worstServerFirst, portion), fleet };
}

/** Yields after each portion. */
function* rowsOf(
  { listed, fleet }: FleetHead,
  limits: PlanLimits,
  now: Instant,
): Generator<void, ServerOverview[]> {
  const { servers, alerts, maintenance, health, enabledRules } = fleet;
  const serverOf = new Map(servers.map((server) => [server.id, server]));
  const alertsOf = groupedBy(alerts, ({ serverId }) => serverId);
  const rows: ServerOverview[] = [];
  for (const { id } of listed) {
    const server = serverOf.get(id);
    // It was deleted while the fleet was read.
    if (!server) continue;
    const known = {
      alerts: alertsOf.get(id) ?? [],
      maintenance: maintenance.get(id) ?? noMaintenance,
      health: health.get(id) ?? null,
      enabledRules: enabledRules.get(id) ?? 0,
    };
    rows.push(rowOf(server, known, limits, now));
    if (rows.length % portion === 0) yield;
  }
  return rows;
}

export function* overviewSteps(
  head: FleetHead,
  limits: PlanLimits,
  now: Instant,
): Generator<void, MonitoringOverview> {
  const { standings } = head;
  const data = yield* rowsOf(head, limits, now);
  return {
    generated_at: toTimestamp(now),
    data,
    more_servers: standings.length - data.length,
    totals: totalsOf(standings),
  };
}
