import { z } from "zod";
import { planIncludes, type PlanLimits } from "../access/plan.ts";
import { Id } from "../id.ts";
import { clockToleranceMs } from "../metric/clock.ts";
import { Sample } from "../metric/sample.ts";
import { toTimestamp, toTimestampOrNull, type Instant } from "../time.ts";
import { Timestamp } from "../timestamp.ts";
import type { MonitoredServer } from "./server.ts";

export const SiteStep = z.enum([
  "on",
  "on_plan_lapsed",
  "on_over_quota",
  "off",
  "off_quota_reached",
  "off_plan_required",
]);
export type SiteStep = z.infer<typeof SiteStep>;
export const PluginStep = z.enum(["waiting_for_site", "receiving", "rejected", "stale", "never"]);
export type PluginStep = z.infer<typeof PluginStep>;

export const ServerState = z.enum([
  "running",
  "unresponsive",
  "paused_empty",
  "stopped",
  "paused",
  "unreachable",
  "never_seen",
  "not_monitored",
]);
export type ServerState = z.infer<typeof ServerState>;

export const ServerStatus = z.object({
  server_id: Id,
  status: z.enum(["online", "offline", "not_monitored"]),
  state: ServerState,
  state_since: Timestamp.nullable(),
  last_tick_age_ms: z.int().nullable(),
  monitoring: z.object({ enabled: z.boolean(), site_step: SiteStep, plugin_step: PluginStep }),
  last_heartbeat: Timestamp.nullable(),
  boot_timestamp: Timestamp.nullable(),
  uptime_seconds: z.int().nullable(),
  sampled_at: Timestamp.nullable(),
  current: Sample.nullable(),
});
export type ServerStatus = z.infer<typeof ServerStatus>;

/** Three missed heartbeats of 30 s. */
export const onlineWithinMs = 90_000;
/** The main thread counts as hung if it has not ticked for this long. */
export const unresponsiveFromMs = 10_000;

export type AcceptanceBasis = Pick<
  MonitoredServer,
  "ownerSuspended" | "monitoringEnabled" | "enabledRank" | "enabledServers"
>;

/** Whether the server's data is accepted; beyond the quota only the most recently linked servers are. */
export function siteStep(server: AcceptanceBasis, limits: PlanLimits): SiteStep {
  if (server.ownerSuspended) return "off";
  const included = planIncludes(limits, "monitoring");
  if (server.monitoringEnabled) {
    if (!included) return "on_plan_lapsed";
    return server.enabledRank > limits.monitored_servers ? "on_over_quota" : "on";
  }
  if (!included) return "off_plan_required";
  return server.enabledServers >= limits.monitored_servers ? "off_quota_reached" : "off";
}

/** A heartbeat from the future was received while our clock was wrong: its age is unknown. */
const isRecent = (heartbeat: Instant, now: Instant): boolean =>
  now - heartbeat <= onlineWithinMs && heartbeat - now <= clockToleranceMs;

export function pluginStep(server: MonitoredServer, step: SiteStep, now: Instant): PluginStep {
  if (step !== "on") return "waiting_for_site";
  const { lastHeartbeat, lastRejectedAt } = server;
  const rejectedSince = lastRejectedAt !== null && (lastHeartbeat === null || lastRejectedAt > lastHeartbeat);
  if (rejectedSince && now - lastRejectedAt <= onlineWithinMs) return "rejected";
  if (lastHeartbeat === null) return "never";
  return isRecent(lastHeartbeat, now) ? "receiving" : "stale";
}

interface Derived {
  readonly state: ServerState;
  readonly since: Instant | null;
}

export interface StateBasis extends Pick<
  MonitoredServer,
  | "lastHeartbeat"
  | "announcement"
  | "lastTickAgeMs"
  | "bootTimestamp"
  | "pausedSince"
  | "sampledAt"
  | "sampleReceivedAt"
> {
  readonly sample: Pick<Sample, "paused_empty"> | null;
}

/** The first rule that matches decides. */
function deriveState(server: StateBasis, step: SiteStep, now: Instant): Derived {
  const { lastHeartbeat, announcement, lastTickAgeMs } = server;
  if (step !== "on") return { state: "not_monitored", since: null };
  if (lastHeartbeat === null && announcement === null) return { state: "never_seen", since: null };
  if (announcement !== null && (lastHeartbeat === null || announcement.at >= lastHeartbeat)) {
    return { state: announcement.kind, since: announcement.at };
  }
  if (lastHeartbeat === null || !isRecent(lastHeartbeat, now)) {
    return { state: "unreachable", since: lastHeartbeat };
  }
  if (isPaused(server, lastHeartbeat)) return { state: "paused_empty", since: server.pausedSince };
  if (lastTickAgeMs !== null && lastTickAgeMs >= unresponsiveFromMs) {
    return { state: "unresponsive", since: lastHeartbeat - lastTickAgeMs };
  }
  return { state: "running", since: bootedAt(server, now) };
}

/** A pause holds while samples report it, and ends with the boot in which it was seen. */
function isPaused(
  { sample, sampledAt, sampleReceivedAt, bootTimestamp }: StateBasis,
  lastHeartbeat: Instant,
): boolean {
  if (sample?.paused_empty !== true) return false;
  const recent = sampleReceivedAt !== null && lastHeartbeat - sampleReceivedAt <= onlineWithinMs;
  const sameBoot = bootTimestamp === null || sampledAt === null || sampledAt >= bootTimestamp;
  return recent && sameBoot;
}

const statusOf: Record<ServerState, ServerStatus["status"]> = {
  running: "online",
  unresponsive: "online",
  paused_empty: "online",
  stopped: "offline",
  paused: "offline",
  unreachable: "offline",
  never_seen: "offline",
  not_monitored: "not_monitored",
};

/** A boot time in the future means that the server's clock is wrong: it booted now at the latest. */
const bootedAt = (server: Pick<StateBasis, "bootTimestamp">, now: Instant): Instant | null =>
  server.bootTimestamp === null ? null : Math.min(server.bootTimestamp, now);

/** For a server whose data is accepted now, as when something was just received. */
export const stateWhileAccepted = (server: MonitoredServer, now: Instant): ServerState =>
  deriveState(server, "on", now).state;

export interface DerivedStatus extends Derived, Pick<ServerStatus, "status"> {}

const withStatus = ({ state, since }: Derived): DerivedStatus => ({ state, since, status: statusOf[state] });

export const derivedStatus = (
  server: StateBasis & AcceptanceBasis,
  limits: PlanLimits,
  now: Instant,
): DerivedStatus => withStatus(deriveState(server, siteStep(server, limits), now));

/** For a server whose data was accepted at `now`. */
export const statusWhileAccepted = (server: StateBasis, now: Instant): DerivedStatus =>
  withStatus(deriveState(server, "on", now));

export function serverStatus(server: MonitoredServer, limits: PlanLimits, now: Instant): ServerStatus {
  const step = siteStep(server, limits);
  const { state, since } = deriveState(server, step, now);
  const status = statusOf[state];
  const booted = bootedAt(server, now);
  return {
    server_id: server.id,
    status,
    state,
    state_since: toTimestampOrNull(since === null ? null : Math.min(since, now)),
    last_tick_age_ms: server.lastTickAgeMs,
    monitoring: {
      enabled: server.monitoringEnabled,
      site_step: step,
      plugin_step: pluginStep(server, step, now),
    },
    last_heartbeat: toTimestampOrNull(
      server.lastHeartbeat === null ? null : Math.min(server.lastHeartbeat, now),
    ),
    boot_timestamp: booted === null ? null : toTimestamp(booted),
    uptime_seconds: status === "online" && booted !== null ? Math.floor((now - booted) / 1000) : null,
    sampled_at: toTimestampOrNull(server.sampledAt),
    current: server.sample,
  };
}
