import { directDisks, directP99Ms, gcPercent, percentOf, throttledPercent } from "../measured.ts";
import type { ReportPayload } from "../payload.ts";
import { evidence, type Cause, type DiagnosisFinding, type DiagnosisRule } from "./finding.ts";
import { leastTicks, thresholds } from "./thresholds.ts";

type Ticks = ReportPayload["ticks"];

/** Null if the run is not `standard`, or has too few ticks to be judged. */
const judgedTicks = ({ benchmark_mode, ticks }: ReportPayload): Ticks | null =>
  benchmark_mode === "standard" && ticks.count !== null && ticks.count >= leastTicks ? ticks : null;

const reaches = (value: number | null, threshold: number): boolean => value !== null && value >= threshold;

export const singleCoreSaturated: DiagnosisRule = (payload) => {
  const limit = thresholds.single_core_saturated;
  const { avg = null, p95 = null } = judgedTicks(payload)?.mspt ?? {};
  const over = reaches(avg, limit.tickBudgetMs);
  if (!over && !(reaches(avg, limit.nearMs) && reaches(p95, limit.tickBudgetMs))) return [];
  const causes: readonly (readonly [Cause, boolean])[] = [
    ["cpu_quota", reaches(throttledPercent(payload), limit.throttledPercent)],
    ["noisy_neighbour", reaches(payload.host.steal_percent_avg, limit.stealPercent)],
    ["gc_pause", reaches(gcPercent(payload), limit.gcPercent)],
  ];
  return [
    {
      severity: over ? "critical" : "warning",
      subject: null,
      cause: causes.find(([, holds]) => holds)?.[0] ?? "single_core",
      evidence: evidence(
        ["mspt_avg", avg, "ms"],
        ["mspt_p95", p95, "ms"],
        ["tick_budget_ms", limit.tickBudgetMs, "ms"],
      ),
    },
  ];
};

/** The worst ticks are far above the mean; `origin` says where their time went. */
interface Spikes {
  readonly severity: DiagnosisFinding["severity"];
  readonly avg: number;
  readonly max: number;
  readonly p99: number | null;
  readonly origin: "gc" | "off_cpu" | null;
  readonly cause: Cause | null;
}

function spikeSeverity(max: number, p99: number | null): Spikes["severity"] {
  const limit = thresholds.tick_spikes;
  if (max >= limit.criticalMs || reaches(p99, limit.criticalP99Ms)) return "critical";
  return p99 !== null && p99 < limit.infoP99Ms ? "info" : "warning";
}

const isFromGc = (payload: ReportPayload, max: number): boolean =>
  reaches(percentOf(payload.gc.pause_max_ms, max), thresholds.tick_spikes_from_gc.pausePercent);

/** Garbage collection is idle, and the time of the spikes was spent outside the JVM. */
function isOffCpu(payload: ReportPayload, max: number): boolean {
  const limit = thresholds.tick_spikes_off_cpu;
  const pause = percentOf(payload.gc.pause_max_ms, max);
  const gc = gcPercent(payload);
  if (pause === null || pause > limit.idlePausePercent) return false;
  if (gc === null || gc >= limit.idleGcPercent) return false;
  const cpu = percentOf(payload.ticks.spike_cpu_ms, payload.ticks.spike_wall_ms);
  if (cpu !== null) return cpu <= limit.cpuPercent;
  return isStolen(payload) || isThrottled(payload);
}

const isStolen = ({ host }: ReportPayload): boolean =>
  reaches(host.steal_percent_max, thresholds.tick_spikes_off_cpu.stealPercent);

const isThrottled = (payload: ReportPayload): boolean =>
  reaches(throttledPercent(payload), thresholds.tick_spikes_off_cpu.throttledPercent);

function offCpuCause(payload: ReportPayload): Cause | null {
  if (isThrottled(payload)) return "cpu_quota";
  if (isStolen(payload)) return "noisy_neighbour";
  const { diskMs } = thresholds.tick_spikes_off_cpu;
  const slowDisk = directDisks(payload).some((disk) => (directP99Ms(disk) ?? 0) > diskMs);
  return slowDisk ? "disk_latency" : null;
}

function spikesOf(payload: ReportPayload): Spikes | null {
  const { avg = null, max = null, p99 = null } = judgedTicks(payload)?.mspt ?? {};
  const { spikeMs, meanTimes } = thresholds.tick_spikes;
  if (avg === null || max === null || max < spikeMs || max < meanTimes * avg) return null;
  const found = { severity: spikeSeverity(max, p99), avg, max, p99 };
  if (isFromGc(payload, max)) return { ...found, origin: "gc", cause: "gc_pause" };
  return isOffCpu(payload, max)
    ? { ...found, origin: "off_cpu", cause: offCpuCause(payload) }
    : { ...found, origin: null, cause: null };
}

const atLeastWarning = (severity: Spikes["severity"]): Spikes["severity"] =>
  severity === "info" ? "warning" : severity;

export const tickSpikes: DiagnosisRule = (payload) => {
  const spikes = spikesOf(payload);
  if (!spikes) return [];
  const { severity, cause, avg, max, p99 } = spikes;
  return [
    {
      severity,
      subject: null,
      cause,
      evidence: evidence(
        ["mspt_max", max, "ms"],
        ["mspt_avg", avg, "ms"],
        ["mspt_p99", p99, "ms"],
        ["threshold_ratio", thresholds.tick_spikes.meanTimes, "ratio"],
      ),
    },
  ];
};

export const tickSpikesFromGc: DiagnosisRule = (payload) => {
  const spikes = spikesOf(payload);
  if (spikes?.origin !== "gc") return [];
  return [
    {
      severity: atLeastWarning(spikes.severity),
      subject: null,
      cause: spikes.cause,
      evidence: evidence(
        ["gc_pause_max_ms", payload.gc.pause_max_ms, "ms"],
        ["mspt_max", spikes.max, "ms"],
        ["gc_pause_total_ms", payload.gc.pause_total_ms, "ms"],
        ["gc_pauses", payload.gc.pauses_count, "count"],
      ),
    },
  ];
};

/** Something outside the JVM takes the time of the spikes. */
export const tickSpikesOffCpu: DiagnosisRule = (payload) => {
  const spikes = spikesOf(payload);
  if (spikes?.origin !== "off_cpu") return [];
  const { gc, host, ticks } = payload;
  return [
    {
      severity: atLeastWarning(spikes.severity),
      subject: null,
      cause: spikes.cause,
      evidence: evidence(
        ["gc_pause_max_ms", gc.pause_max_ms, "ms"],
        ["mspt_max", spikes.max, "ms"],
        ["spike_wall_ms", ticks.spike_wall_ms, "ms"],
        ["spike_cpu_ms", ticks.spike_cpu_ms, "ms"],
        ["steal_percent_max", host.steal_percent_max, "percent"],
        ["throttled_periods", host.throttled_periods, "periods"],
        ["total_periods", host.total_periods, "periods"],
      ),
    },
  ];
};

/** The average tick rate is healthy, but the worst moments collapse. */
export const tpsFloor: DiagnosisRule = (payload) => {
  const { healthyTps, floorTps, criticalTps } = thresholds.tps_floor;
  const { avg = null, min = null } = judgedTicks(payload)?.tps ?? {};
  if (avg === null || min === null || avg < healthyTps || min >= floorTps) return [];
  return [
    {
      severity: min < criticalTps ? "critical" : "warning",
      subject: null,
      cause: spikesOf(payload)?.cause ?? null,
      evidence: evidence(
        ["tps_avg", avg, "tps"],
        ["tps_min", min, "tps"],
        ["threshold_tps", floorTps, "tps"],
      ),
    },
  ];
};
