import type { FindingCode, HealthVerdict } from "../health/health.ts";
import { isStillDown, type StoredHealth } from "../health/stored-health.ts";
import type { ServerState } from "../server/status.ts";
import type { Instant } from "../time.ts";
import { publicTroubles, type PublicState, type PublicTrouble } from "./public-status.ts";

/** Null: players do not notice the finding, it concerns only the owner. */
const troubleOf: Readonly<Record<FindingCode, PublicTrouble | null>> = {
  server_down: "not_reachable",
  server_unresponsive: "not_responding",
  crash_loop: "unstable",
  crashed: "unstable",
  tick_over_budget: "slow",
  // At 20 ticks a second players notice none of these.
  slower_than_usual: null,
  tick_spikes: null,
  gc_heavy: null,
  cpu_throttled: null,
  disk_nearly_full: null,
  heap_near_full: null,
  container_near_limit: null,
  machine_saturated: null,
  noisy_machine: null,
  memory_growing: null,
  plugin_heavy: null,
  plugin_grew: null,
  more_than_usual: null,
  benchmark_regression: null,
  nobody_told: null,
  in_app_only: null,
  data_missing: null,
  alert_open: null,
  no_alert_rules: null,
};

export const isTroubled = (verdict: HealthVerdict): boolean =>
  verdict === "down" || verdict === "critical" || verdict === "degraded";

export const worseTrouble = (one: PublicTrouble | null, other: PublicTrouble | null): PublicTrouble | null =>
  publicTroubles.find((trouble) => trouble === one || trouble === other) ?? null;

/** `reasons` come worst first; null if players notice nothing. */
export const troubleIn = (reasons: readonly FindingCode[]): PublicTrouble | null =>
  reasons.map((code) => troubleOf[code]).find((trouble) => trouble !== null) ?? null;

const silent = new Set<PublicTrouble>(["not_reachable", "not_responding"]);

/**
 * `health` may be minutes older than `state`, so it makes a running server unreachable only if nothing came since:
 * the server ended uncleanly.
 */
export function publicStateOf(
  state: ServerState,
  isInMaintenance: boolean,
  health: Pick<StoredHealth, "verdict" | "reasons" | "verdictFrom" | "evaluatedAt"> | null,
  lastHeartbeat: Instant | null,
): PublicState {
  if (state === "not_monitored" || state === "never_seen") return "no_data";
  if (isInMaintenance) return "maintenance";
  if (state === "stopped" || state === "paused") return "stopped";
  if (state === "unreachable") return "not_reachable";
  if (health !== null && health.reasons[0] === "server_down" && isStillDown(health, lastHeartbeat))
    return "not_reachable";
  if (state === "unresponsive") return "not_responding";
  const trouble =
    state === "running" && health !== null && isTroubled(health.verdict) ? troubleIn(health.reasons) : null;
  return trouble === null || silent.has(trouble) ? "online" : trouble;
}
