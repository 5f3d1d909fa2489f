import type { ReportPayload } from "./payload.ts";
import { assumed, loadReference, reference, type LoadTestId } from "./reference.ts";

/** True for a missing measurement whose value the score assumes. */
export interface Assumptions {
  readonly memoryLatency: boolean;
  readonly random4k: boolean;
}

/** Unrounded scores; 0 where a measurement is absent. */
interface Parts {
  readonly singleCore: number;
  readonly multiCore: number;
  readonly memory: number;
  readonly disk: number;
  readonly exploration: number;
  readonly entities: number;
  readonly mechanics: number;
  readonly assumptions: Assumptions;
}

export const clamp = (value: number, low: number, high: number): number =>
  Math.min(Math.max(value, low), high);

const within = (score: number): number => clamp(score, 1, 100_000);
const moreIsBetter = (value: number, at1000: number): number =>
  value > 0 ? within((1000 * value) / at1000) : 0;
const lessIsBetter = (value: number, at1000: number): number =>
  value > 0 ? within((1000 * at1000) / value) : 0;

/**
 * With this weighted mean of ratios, the ranking of two machines does not depend on the reference (Fleming
 * and Wallace, 1986). An absent part makes the whole 0, so leaving a weak test out never helps.
 */
export function geometricMean(parts: readonly (readonly [score: number, weight: number])[]): number {
  if (parts.some(([score]) => score <= 0)) return 0;
  const weights = parts.reduce((sum, [, weight]) => sum + weight, 0);
  return Math.exp(parts.reduce((sum, [score, weight]) => sum + weight * Math.log(score), 0) / weights);
}

/** Older plugins report `success` alone. */
const succeeded = (payload: ReportPayload, testId: string) =>
  payload.tests.find(
    (test) => test.test_id === testId && test.success && (test.outcome ?? "success") === "success",
  );

/** 0 if the test did not succeed, or the metric is no finite positive number. */
function metric(payload: ReportPayload, testId: string, key: string): number {
  const value = succeeded(payload, testId)?.metrics?.[key];
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

/** Unrounded; null: not measured. A ramp counts the last load that passed (0: none), others their rate. */
export function measuredLoadScore(payload: ReportPayload, testId: LoadTestId): number | null {
  const { metric: key, standard, stress } = loadReference[testId];
  if (payload.benchmark_mode !== "stresslimit")
    return moreIsBetter(metric(payload, testId, key), standard) || null;
  const load = succeeded(payload, testId)?.stress_result?.last_passing_load ?? null;
  return load === null ? null : moreIsBetter(load, stress);
}

/** As a part of the whole, a test that was not measured counts as 0. */
const loadScore = (payload: ReportPayload, testId: LoadTestId): number =>
  measuredLoadScore(payload, testId) ?? 0;

function memoryPart(payload: ReportPayload): { score: number; latencyAssumed: boolean } {
  const bandwidth = geometricMean([
    [moreIsBetter(metric(payload, "memory_bandwidth", "read_gb_s"), reference.memoryReadGbS), 1],
    [moreIsBetter(metric(payload, "memory_bandwidth", "write_gb_s"), reference.memoryWriteGbS), 1],
    [moreIsBetter(metric(payload, "memory_bandwidth", "copy_gb_s"), reference.memoryCopyGbS), 1],
  ]);
  const measuredNs = metric(payload, "memory_latency", "latency_ns");
  const latency = lessIsBetter(measuredNs || assumed.latencyNs, reference.memoryLatencyNs);
  return {
    score: geometricMean([
      [bandwidth, 1],
      [latency, 1],
    ]),
    latencyAssumed: bandwidth > 0 && measuredNs === 0,
  };
}

function diskPart(payload: ReportPayload): { score: number; randomAssumed: boolean } {
  const read = moreIsBetter(metric(payload, "disk_sequential", "read_mb_s"), reference.diskReadMbS);
  const write = moreIsBetter(metric(payload, "disk_sequential", "write_mb_s"), reference.diskWriteMbS);
  const iops = metric(payload, "disk_random_4k", "read_iops");
  const p99Ms = metric(payload, "disk_random_4k", "read_p99_ms");
  // Without direct IO the page cache answers, and the numbers say nothing about the disk.
  const direct = succeeded(payload, "disk_random_4k")?.metrics?.["direct_io"] === true;
  const measured = direct && iops > 0 && p99Ms > 0;
  return {
    score: geometricMean([
      [moreIsBetter(measured ? iops : assumed.readIops, reference.diskReadIops), 0.3],
      [lessIsBetter(measured ? p99Ms : assumed.readP99Ms, reference.diskReadP99Ms), 0.3],
      [read, 0.2],
      [write, 0.2],
    ]),
    randomAssumed: !measured && read > 0 && write > 0,
  };
}

/** For `standard` and `stresslimit` runs. */
export function scoreParts(payload: ReportPayload): Parts {
  const memory = memoryPart(payload);
  const disk = diskPart(payload);
  const single = metric(payload, "cpu_single_core", "ops_per_second");
  const multi = metric(payload, "cpu_multi_core", "ops_per_second");
  return {
    singleCore: moreIsBetter(single, reference.singleCoreOpsPerSecond),
    multiCore: moreIsBetter(multi, reference.multiCoreOpsPerSecond),
    memory: memory.score,
    disk: disk.score,
    exploration: loadScore(payload, "exploration_chunk_generation"),
    entities: geometricMean([
      [loadScore(payload, "entities_ai"), 2],
      [loadScore(payload, "entities_items"), 1],
    ]),
    mechanics: geometricMean([
      [loadScore(payload, "mechanics_redstone"), 1],
      [loadScore(payload, "mechanics_hopper"), 1],
    ]),
    assumptions: { memoryLatency: memory.latencyAssumed, random4k: disk.randomAssumed },
  };
}
