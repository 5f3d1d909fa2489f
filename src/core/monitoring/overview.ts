import { z } from "zod";
import type { PlanLimits } from "../access/plan.ts";
import { addition } from "../addition.ts";
import { AlertMetric } from "../alert/alert-rule.ts";
import { groupedBy } from "../grouped.ts";
import { HealthSummary, healthSummaryOf } from "../health/health-summary.ts";
import type { StoredHealth } from "../health/stored-health.ts";
import { Id } from "../id.ts";
import { noMaintenance, windowAt, type ServerMaintenance } from "../maintenance/server-maintenance.ts";
import type { MonitoredServer } from "../server/server.ts";
import { derivedStatus, serverStatus, ServerStatus, type ServerState } from "../server/status.ts";
import { callerName, thirdPartyText } from "../text/third-party-text.ts";
import { toTimestamp, type Instant } from "../time.ts";
import { Timestamp } from "../timestamp.ts";
import { inFleetOrder } from "./fleet-order.ts";

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

/** Worst servers first; the totals count exactly these servers. */
export const MonitoringOverview = z.object({
  generated_at: Timestamp,
  data: z.array(ServerOverview),
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
  /** Newest first. */
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

function totalsOf(rows: readonly ServerOverview[]): Totals {
  const totals: Totals = {
    servers: rows.length,
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
  for (const row of rows) {
    const { status, state, current, open_alerts } = row;
    totals[status] += 1;
    totals.by_state[state] += 1;
    if (status === "online") totals.players += current?.player_count ?? 0;
    totals.open_alerts += open_alerts.length;
    if (isWatched(row) === false) totals.unwatched += 1;
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

/** Rows that are made or sorted between two yields. */
const portion = 200;

/** Unsorted; yields after each portion. */
function* rowsOf(
  { servers, alerts, maintenance, health, enabledRules }: Fleet,
  { includeUnmonitored, watched }: OverviewOptions,
  limits: PlanLimits,
  now: Instant,
): Generator<void, ServerOverview[]> {
  const alertsOf = groupedBy(alerts, ({ serverId }) => serverId);
  const rows: ServerOverview[] = [];
  let made = 0;
  for (const server of servers) {
    if (!server.monitoringEnabled && !includeUnmonitored) continue;
    const { id } = server;
    const known = {
      alerts: alertsOf.get(id) ?? [],
      maintenance: maintenance.get(id) ?? noMaintenance,
      health: health.get(id) ?? null,
      enabledRules: enabledRules.get(id) ?? 0,
    };
    const row = rowOf(server, known, limits, now);
    if (watched === null || isWatched(row) === watched) rows.push(row);
    made += 1;
    if (made % portion === 0) yield;
  }
  return rows;
}

export function* overviewSteps(
  fleet: Fleet,
  options: OverviewOptions,
  limits: PlanLimits,
  now: Instant,
): Generator<void, MonitoringOverview> {
  const rows = yield* rowsOf(fleet, options, limits, now);
  const data = yield* inFleetOrder(rows, portion, now);
  return { generated_at: toTimestamp(now), data, totals: totalsOf(data) };
}
