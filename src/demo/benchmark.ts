import { dayMs, toTimestamp, type Instant } from "../core/time.ts";
import type { ReportBody } from "../outbound/plugin-client.ts";
import { hosts, type Host, type HostName } from "./benchmark-hosts.ts";
import { benchmarkTests, type Vary } from "./benchmark-tests.ts";
import { chance, rounded } from "./chance.ts";

export interface DemoRun {
  readonly host: HostName;
  readonly mode: ReportBody["benchmark_mode"];
  /** `before` and `after` are one host with its default and its tuned settings. */
  readonly settings: "ordinary" | "before" | "after";
  readonly daysAgo: number;
  readonly description: string | null;
  readonly visibility: "public" | "unlisted" | "private";
}

const durationSeconds = 600;

const configs: Record<DemoRun["settings"], NonNullable<ReportBody["config"]>> = {
  ordinary: {
    view_distance: 8,
    simulation_distance: 6,
    redstone_implementation: "ALTERNATE_CURRENT",
    spawn_limit_monsters: 40,
  },
  before: {
    view_distance: 12,
    simulation_distance: 10,
    redstone_implementation: "VANILLA",
    activation_range_monsters: 32,
    spawn_limit_monsters: 70,
    max_entity_collisions: 8,
    hopper_ignore_occluding_blocks: false,
  },
  after: {
    view_distance: 7,
    simulation_distance: 6,
    redstone_implementation: "ALTERNATE_CURRENT",
    activation_range_monsters: 24,
    spawn_limit_monsters: 20,
    max_entity_collisions: 2,
    hopper_ignore_occluding_blocks: true,
  },
};

/** Default settings slow down the game; figures of the machine stay. */
function settled(host: Host, settings: DemoRun["settings"]): Host {
  if (settings !== "before") return host;
  const [average, p50, p95, p99, max] = host.mspt;
  return {
    ...host,
    entityTicksPerMs: host.entityTicksPerMs * 0.62,
    redstonePerMs: host.redstonePerMs * 0.48,
    hopperPerMs: host.hopperPerMs * 0.71,
    mspt: [average * 1.9, p50 * 1.9, p95 * 1.9, p99 * 1.8, max * 1.7],
    late: Math.max(host.late, 0.011),
  };
}

/** Each figure varies by up to 2 %. */
const varyBy =
  (seed: number): Vary =>
  (key, value) =>
    value * (1 + 0.04 * (chance(seed, key, 0) - 0.5));

function tickBlocks(
  host: Host,
  mode: DemoRun["mode"],
  vary: Vary,
): Pick<ReportBody, "ticks" | "gc" | "heap"> {
  if (mode === "custom") return {};
  // One factor for all, so that percentiles keep their order.
  const scale = vary("mspt", 1);
  const [avg, p50, p95, p99, max] = host.mspt.map((value) => rounded(value * scale));
  const [tps, least] = host.tps;
  const count = Math.round(tps * durationSeconds);
  const [spikeWall, spikeCpu] = host.spikes;
  const [pauses, pauseTotal, pauseMax] = host.gc;
  const [usedAverage, usedMost, afterGc] = host.heap;
  return {
    ticks: {
      count,
      duration_seconds: durationSeconds,
      tps: { avg: tps, min: least },
      mspt: { avg, p50, p95, p99, max },
      over_50ms: Math.round(count * host.late),
      spike_wall_ms: spikeWall,
      spike_cpu_ms: spikeCpu,
    },
    gc: {
      pauses_count: pauses,
      pause_total_ms: pauseTotal,
      pause_max_ms: pauseMax,
      explicit_gc_count: 0,
      humongous_allocations: 0,
    },
    heap: {
      used_avg_mb: usedAverage,
      used_max_mb: usedMost,
      max_mb: host.jvm.heap_max_mb ?? null,
      after_gc_max_mb: afterGc,
      after_gc_last_mb: Math.round(afterGc * 0.95),
      after_gc_samples: pauses,
    },
  };
}

export interface BenchmarkedServer {
  readonly seed: number;
  readonly pluginVersion: string;
  /** Plugins before 1.8.0 report only whether a test succeeded. */
  readonly tellsOutcome: boolean;
  readonly software: ReportBody["server"];
}

/** `localId` is the plugin's own id of the run. */
export function occasionOf(
  { seed }: Pick<BenchmarkedServer, "seed">,
  { daysAgo }: DemoRun,
  now: Instant,
): { readonly localId: string; readonly startedAt: Instant; readonly finishedAt: Instant } {
  const finishedAt = now - daysAgo * dayMs - Math.floor(chance(seed, "hour", daysAgo) * 0.2 * dayMs);
  const second = toTimestamp(finishedAt).slice(0, 19);
  const localId = `bench-${second.replace("T", "_").replaceAll(":", "-")}`;
  return { localId, startedAt: finishedAt - durationSeconds * 1000, finishedAt };
}

/** The upload as that server's plugin would have sent it; the same arguments give the same upload. */
export function benchmarkPayload(server: BenchmarkedServer, run: DemoRun, now: Instant): ReportBody {
  const host = settled(hosts[run.host], run.settings);
  const vary = varyBy(server.seed * 1000 + run.daysAgo);
  const { localId, startedAt, finishedAt } = occasionOf(server, run, now);
  const tests = benchmarkTests(host, run.mode, vary);
  if (!server.tellsOutcome) for (const test of tests) test.outcome = null;
  return {
    schema: "service-benchmark-report/1",
    local_id: localId,
    plugin_version: server.pluginVersion,
    benchmark_mode: run.mode,
    source: "manual",
    started_at: toTimestamp(startedAt),
    finished_at: toTimestamp(finishedAt),
    dispersed_zones: run.mode === "custom" ? null : 4,
    description: run.description,
    hosting_tier: host.hostingTier,
    server: { ...server.software, os_name: host.osName },
    hardware: { ...host.hardware },
    jvm: host.jvm,
    host: host.host,
    config: configs[run.settings],
    ...tickBlocks(host, run.mode, vary),
    tests,
  };
}
