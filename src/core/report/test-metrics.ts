import type { Problem } from "./payload-fields.ts";

type Accepts = (value: unknown) => boolean;
type MetricRules = Readonly<Record<string, { readonly accepts: Accepts; readonly expected: string }>>;

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

const positive = (max: number) => ({
  accepts: (value: unknown) => isNumber(value) && value > 0 && value <= max,
  expected: `must be a number above 0 and at most ${max}`,
});
const between = (min: number, max: number) => ({
  accepts: (value: unknown) => isNumber(value) && value >= min && value <= max,
  expected: `must be a number from ${min} to ${max}`,
});
const boolean = { accepts: (value: unknown) => typeof value === "boolean", expected: "must be a boolean" };

const milliseconds = between(0.001, 600_000);
const perMillisecond = positive(1e7);

/** Plausible ranges of the metrics of the scored tests: rates per second unless the name says otherwise. */
const metricRules: Readonly<Record<string, MetricRules>> = {
  cpu_single_core: { ops_per_second: positive(1e12) },
  cpu_multi_core: { ops_per_second: positive(1e13), threads: between(1, 4096) },
  memory_bandwidth: { read_gb_s: positive(5000), write_gb_s: positive(5000), copy_gb_s: positive(5000) },
  memory_latency: { latency_ns: between(1, 100_000) },
  disk_sequential: { read_mb_s: positive(1e6), write_mb_s: positive(1e6), file_size_mb: between(0, 1e6) },
  disk_random_4k: {
    direct_io: boolean,
    read_iops: positive(1e8),
    read_p50_ms: milliseconds,
    read_p99_ms: milliseconds,
    write_iops: positive(1e8),
    write_p99_ms: milliseconds,
    // A deeper queue would measure throughput, not what one waiting tick sees.
    queue_depth: between(1, 1),
    samples: between(0, 1e12),
  },
  exploration_chunk_generation: { chunks_per_second: positive(1e6), chunks_generated: between(0, 1e6) },
  entities_ai: { entity_ticks_per_ms: perMillisecond, entity_count: between(0, 1e7) },
  entities_items: { entity_ticks_per_ms: perMillisecond, entity_count: between(0, 1e7) },
  mechanics_redstone: { updates_per_ms: perMillisecond },
  mechanics_hopper: { transfers_per_ms: perMillisecond },
};

const rulesOf = (testId: string): MetricRules | null =>
  (Object.hasOwn(metricRules, testId) && metricRules[testId]) || null;

export const isScoredTest = (testId: string): boolean => rulesOf(testId) !== null;

// Fewer samples leave fewer than ten beyond the 99th percentile.
const leastSamplesForP99 = 1000;

function sampleProblems(metrics: Readonly<Record<string, unknown>>): Problem[] {
  const { samples } = metrics;
  const hasP99 = isNumber(metrics["read_p99_ms"]) || isNumber(metrics["write_p99_ms"]);
  return hasP99 && isNumber(samples) && samples < leastSamplesForP99
    ? [{ path: ["samples"], message: `must be at least ${leastSamplesForP99} beside a p99` }]
    : [];
}

/** Paths are relative to `metrics`. Absent and unknown metrics pass, as does a test that feeds no score. */
export function metricProblems(testId: string, metrics: Readonly<Record<string, unknown>>): Problem[] {
  const rules = rulesOf(testId);
  if (!rules) return [];
  const outOfRange = Object.entries(rules).flatMap(([key, { accepts, expected }]) => {
    const value = metrics[key] ?? null;
    return value === null || accepts(value) ? [] : [{ path: [key], message: expected }];
  });
  return testId === "disk_random_4k" ? [...outOfRange, ...sampleProblems(metrics)] : outOfRange;
}
