import {
  directDisks,
  directP99Ms,
  gcPercent,
  measuredMetric,
  percentOf,
  throttledPercent,
} from "../measured.ts";
import { measuredLoadScore } from "../parts.ts";
import type { ReportPayload } from "../payload.ts";
import type { LoadTestId } from "../reference.ts";
import type { Measurement } from "./rule.ts";

const percent = (metric: string, value: number | null): Measurement => ({
  metric,
  value,
  unit: "percent",
  decimals: 1,
});
const ms = (metric: string, value: number | null): Measurement => ({ metric, value, unit: "ms" });

/** Other modes load the server until it is slow, so that their ticks are no reason for a change. */
const standardOnly = ({ benchmark_mode }: ReportPayload, value: number | null): number | null =>
  benchmark_mode === "standard" ? value : null;

export const msptAvg = (payload: ReportPayload): Measurement =>
  ms("mspt_avg", standardOnly(payload, payload.ticks.mspt.avg));
export const msptP95 = (payload: ReportPayload): Measurement =>
  ms("mspt_p95", standardOnly(payload, payload.ticks.mspt.p95));
export const tpsMin = (payload: ReportPayload): Measurement => ({
  metric: "tps_min",
  value: standardOnly(payload, payload.ticks.tps.min),
  unit: "tps",
});

export const throttledPeriods = (payload: ReportPayload): Measurement =>
  percent("throttled_periods_percent", throttledPercent(payload));
export const availableProcessors = ({ hardware }: ReportPayload): Measurement => ({
  metric: "available_processors",
  value: hardware.available_processors,
  unit: "cores",
});
export const stealAvg = ({ host }: ReportPayload): Measurement => ({
  metric: "steal_percent_avg",
  value: host.steal_percent_avg,
  unit: "percent",
});

export const heapAfterGc = ({ heap }: ReportPayload): Measurement =>
  percent("heap_after_gc_percent", percentOf(heap.after_gc_max_mb, heap.max_mb));
export const heapMax = ({ jvm }: ReportPayload): Measurement => ({
  metric: "heap_max_mb",
  value: jvm.heap_max_mb,
  unit: "MB",
});
export const rssPeak = ({ host }: ReportPayload): Measurement =>
  percent("rss_peak_percent", percentOf(host.rss_peak_mb, host.container_limit_mb));

export const gcPauseMax = ({ gc }: ReportPayload): Measurement => ms("gc_pause_max_ms", gc.pause_max_ms);
export const gcTime = (payload: ReportPayload): Measurement => percent("gc_time_percent", gcPercent(payload));
export const explicitGcs = ({ gc }: ReportPayload): Measurement => ({
  metric: "explicit_gc_count",
  value: gc.explicit_gc_count,
  unit: "count",
});
export const humongousAllocations = ({ gc }: ReportPayload): Measurement => ({
  metric: "humongous_allocations",
  value: gc.humongous_allocations,
  unit: "count",
});

const directDisk = (payload: ReportPayload) => directDisks(payload)[0] ?? null;

export const readIops = (payload: ReportPayload): Measurement => ({
  metric: "disk_random_4k.read_iops",
  value: directDisk(payload)?.readIops ?? null,
  unit: "iops",
});
export const writeP99 = (payload: ReportPayload): Measurement =>
  ms("disk_random_4k.write_p99_ms", directDisk(payload)?.writeP99Ms ?? null);

export function slowerP99(payload: ReportPayload): Measurement {
  const disk = directDisk(payload);
  const value = disk && directP99Ms(disk);
  return ms(`disk_random_4k.${value === disk?.readP99Ms ? "read" : "write"}_p99_ms`, value);
}

export const chunksPerSecond = (payload: ReportPayload): Measurement => {
  const value = measuredMetric(payload, "exploration_chunk_generation", "chunks_per_second");
  return { metric: "exploration_chunk_generation.chunks_per_second", value, unit: "chunks_per_second" };
};

/** 0 for a ramp that passed no load; unknown if nothing was measured. */
export const scoreOf = (payload: ReportPayload, testId: LoadTestId): Measurement => ({
  metric: `${testId}.score`,
  value: measuredLoadScore(payload, testId),
  unit: "score",
  decimals: 0,
});
