import { defaultPlans, type PlanLimits } from "../../../src/core/access/plan.ts";
import type { HealthVerdict } from "../../../src/core/health/health.ts";
import type { StoredHealth } from "../../../src/core/health/stored-health.ts";
import { sampleOf, ReportedSample } from "../../../src/core/metric/reported-sample.ts";
import { fleetHealthOf, type FleetHealth } from "../../../src/core/monitoring/fleet-health.ts";
import {
  overviewSteps,
  wholeFleetSteps,
  type Fleet,
  type MonitoringOverview,
  type OverviewOptions,
  type ProgressingAlert,
} from "../../../src/core/monitoring/overview.ts";
import type { Instant } from "../../../src/core/time.ts";
import type { MonitoredServer } from "../../../src/core/server/server.ts";

const second = 1000;
export const now = Date.UTC(2026, 10, 20, 8);
export const limits = defaultPlans.pro;

export const sampleWith = (players: number | null) =>
  sampleOf(ReportedSample.parse({ sampled_at: new Date(now).toISOString(), player_count: players }));

let serial = 0;
/** A server of the account that runs, with the changes; each has its own id. */
export function serverWith(changes: Partial<MonitoredServer> = {}): MonitoredServer {
  serial += 1;
  const silent = { announcement: null, lastTickAgeMs: 40, pausedSince: null, lastRejectedAt: null };
  return {
    id: `server-${String(serial).padStart(6, "0")}`,
    accountId: "account",
    installationId: String(serial),
    name: null,
    verifiedAt: null,
    isPublic: false,
    monitoringEnabled: true,
    showAddressOnReport: false,
    notifyOnReport: true,
    address: null,
    port: null,
    groupId: null,
    linkedAt: now,
    createdAt: now,
    lastHeartbeat: now - 10 * second,
    ownerPlan: "pro",
    bootTimestamp: now - 3600 * second,
    sampledAt: now - 10 * second,
    sampleReceivedAt: now - 10 * second,
    sample: sampleWith(5),
    collecting: { profile: null, class_histogram: null },
    ownerSuspended: false,
    enabledRank: 1,
    pluginVersion: null,
    enabledServers: 1,
    ...silent,
    ...changes,
  };
}

export const alertOn = (serverId: string, changes: Partial<ProgressingAlert> = {}): ProgressingAlert => ({
  id: `alert-${serverId}`,
  serverId,
  ruleId: "rule",
  ruleName: "Low TPS",
  metric: "tps",
  status: "open",
  openedAt: now - 60 * second,
  value: 14.2,
  ...changes,
});

export const states: Record<string, Partial<MonitoredServer>> = {
  running: {},
  unresponsive: { lastTickAgeMs: 10_000 },
  unreachable: { lastHeartbeat: now - 91 * second },
  stopped: { announcement: { kind: "stopped", at: now - 5 * second } },
  paused: { announcement: { kind: "paused", at: now - 5 * second } },
  never_seen: { lastHeartbeat: null, sample: null, sampledAt: null, sampleReceivedAt: null },
  over_quota: { enabledRank: 4 },
  off: { monitoringEnabled: false },
};

export const evaluated = (
  serverId: string,
  verdict: HealthVerdict,
  since: number | null = null,
): readonly [string, StoredHealth] => [
  serverId,
  {
    serverId,
    verdict,
    since,
    reasons: [],
    headline: { code: "healthy", text: "" },
    evaluatedAt: now,
    reopenedFrom: null,
    verdictFrom: now,
    announced: verdict,
    beginnings: {},
  },
];

/** The answer of a generator that pauses. */
function finish<T>(steps: Generator<void, T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

export const monitoringOverview = (
  fleet: Fleet,
  options: OverviewOptions,
  plan: PlanLimits,
  at: Instant,
): MonitoringOverview => finish(overviewSteps(finish(wholeFleetSteps(fleet, options, plan, at)), plan, at));

/** The health of the first `limit` servers. */
export function fleetHealth(fleet: Fleet, plan: PlanLimits, at: Instant, limit: number): FleetHealth {
  const options = { includeUnmonitored: false, watched: null };
  const { standings, listed } = finish(wholeFleetSteps(fleet, options, plan, at));
  return fleetHealthOf({ standings, listed: listed.slice(0, limit), fleet }, plan, at);
}
