import { reportContent } from "../../src/core/report/detail.ts";
import { ReportPayload } from "../../src/core/report/payload.ts";
import type { ReportDetail } from "../../src/core/report/report.ts";
import { scoreReport } from "../../src/core/report/scoring.ts";

export type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Lays `overrides` over `base`: objects are merged key by key, anything else is replaced, undefined removes. */
function merged(base: Json, overrides: Json): Json {
  const result = { ...base };
  for (const [key, value] of Object.entries(overrides)) {
    const before = result[key];
    if (value === undefined) delete result[key];
    else result[key] = isObject(before) && isObject(value) ? merged(before, value) : value;
  }
  return result;
}

const test = (testId: string, category: string, metrics: Json, witnesses: Json[]): Json => ({
  test_id: testId,
  test_name: testId.replaceAll("_", " "),
  category,
  sub_category: null,
  benchmark_mode: "standard",
  outcome: "success",
  success: true,
  reason_code: null,
  duration_ms: 20_113,
  metrics,
  parameters: {},
  flags: {},
  percentiles: {},
  tps: { avg: null, min: null, max: null },
  mspt: { avg: null, min: null, max: null },
  host_limit: null,
  witnesses,
  stress_result: null,
  stress_progression: null,
});

const witness = (key: string, count: number, unit: string): Json => ({
  key,
  expected: count,
  actual: count,
  unit,
});

/** Every scored test at exactly the value of the reference host, which scores 1000. */
const referenceTests = (): Json[] => [
  test("cpu_single_core", "cpu", { ops_per_second: 1_000_000 }, [witness("checksum_ok", 1, "boolean")]),
  test("cpu_multi_core", "cpu", { ops_per_second: 6_000_000, threads: 8 }, [
    witness("threads_started", 8, "threads"),
  ]),
  test("memory_bandwidth", "memory", { read_gb_s: 22, write_gb_s: 16, copy_gb_s: 14 }, [
    witness("bytes_touched", 4_294_967_296, "bytes"),
  ]),
  test("memory_latency", "memory", { latency_ns: 95 }, [witness("hops", 50_000_000, "hops")]),
  test("disk_sequential", "disk", { read_mb_s: 3000, write_mb_s: 1500, file_size_mb: 2048 }, [
    witness("bytes_read", 2_147_483_648, "bytes"),
    witness("bytes_written", 2_147_483_648, "bytes"),
  ]),
  test(
    "disk_random_4k",
    "disk",
    {
      direct_io: true,
      read_iops: 15_000,
      read_p50_ms: 0.06,
      read_p99_ms: 0.25,
      write_iops: 12_000,
      write_p99_ms: 0.4,
      queue_depth: 1,
      samples: 300_000,
    },
    [witness("reads_completed", 300_000, "reads")],
  ),
  test("exploration_chunk_generation", "exploration", { chunks_per_second: 40, chunks_generated: 1600 }, [
    witness("chunks_generated", 1600, "chunks"),
  ]),
  test("entities_ai", "entities", { entity_ticks_per_ms: 60, entity_count: 800 }, [
    witness("entities_alive_mid_run", 800, "entities"),
  ]),
  test("entities_items", "entities", { entity_ticks_per_ms: 400, entity_count: 4000 }, [
    witness("items_alive_mid_run", 4000, "items"),
  ]),
  test("mechanics_redstone", "mechanics", { updates_per_ms: 900 }, [
    witness("redstone_updates", 360_000, "updates"),
  ]),
  test("mechanics_hopper", "mechanics", { transfers_per_ms: 250 }, [
    witness("hopper_transfers", 100_000, "transfers"),
  ]),
];

/** Everything of the reference upload but its tests: 600 s, 12 000 ticks, none late, 1.5 % of the time in GC. */
const referenceRun = (): Json => ({
  schema: "service-benchmark-report/1",
  local_id: "bench-2026-11-20_07-12-03",
  plugin_version: "1.10.2",
  benchmark_mode: "standard",
  source: "manual",
  job_nonce: null,
  started_at: "2026-11-20T07:02:03.000Z",
  finished_at: "2026-11-20T07:12:03.000Z",
  dispersed_zones: 4,
  description: null,
  hosting_tier: null,
  server: {
    type: "paper",
    type_name: "Paper",
    build: "1.21.4-228",
    game_version: "1.21.4",
    mod_loader: null,
    is_hybrid: false,
    os_name: "Debian GNU/Linux 12",
    java_version: "21.0.5",
    java_vendor: "Eclipse Adoptium",
    plugin_count: 12,
    mod_count: null,
  },
  hardware: {
    cpu_name: "AMD Ryzen 7 7700",
    cpu_cores: 8,
    cpu_threads: 16,
    available_processors: 8,
    cpu_quota_cores: null,
    cpu_frequency_ghz: 3.8,
    ram_gb: 32,
    memory_limit_gb: 16,
    disk_type: "nvme",
  },
  jvm: {
    collector: "g1",
    java_major: 21,
    heap_max_mb: 8192,
    heap_initial_mb: 8192,
    flags: ["-Xms8G", "-Xmx8G", "-XX:+UseG1GC"],
  },
  host: {
    steal_percent_avg: 0,
    steal_percent_max: 0,
    throttled_periods: 0,
    total_periods: 6000,
    throttled_ms: 0,
    container_limit_mb: 16_384,
    rss_peak_mb: 9800,
  },
  config: { view_distance: 7, simulation_distance: 6, redstone_implementation: "ALTERNATE_CURRENT" },
  ticks: {
    count: 12_000,
    duration_seconds: 600,
    tps: { avg: 20, min: 19.8 },
    mspt: { avg: 18.4, p50: 16.9, p95: 29.5, p99: 38.2, max: 48.1 },
    over_50ms: 0,
    spike_wall_ms: 0,
    spike_cpu_ms: 0,
  },
  gc: {
    pauses_count: 300,
    pause_total_ms: 9000,
    pause_max_ms: 42,
    explicit_gc_count: 0,
    humongous_allocations: 0,
  },
  heap: {
    used_avg_mb: 3600,
    used_max_mb: 6100,
    max_mb: 8192,
    after_gc_max_mb: 2900,
    after_gc_last_mb: 2750,
    after_gc_samples: 300,
  },
});

export type TestChanges = Readonly<Record<string, Json | null>>;

function changedTests(changes: TestChanges): Json[] {
  const tests = referenceTests();
  const known = new Set(tests.map((test) => String(test["test_id"])));
  const changed = tests.flatMap((test) => {
    const change = changes[String(test["test_id"])];
    if (change === null) return [];
    return [change === undefined ? test : merged(test, change)];
  });
  const added = Object.entries(changes).flatMap(([id, change]) =>
    change === null || known.has(id) ? [] : [merged(test(id, "plugin", {}, []), change)],
  );
  return [...changed, ...added];
}

/**
 * The upload of the reference host, as JSON the plugin sends; a new object at every call. `overrides` is laid over
 * it, `tests` over single tests by their id: null leaves that test out, an unknown id adds one.
 */
export const referencePayload = (overrides: Json = {}, tests: TestChanges = {}): Json =>
  merged({ ...referenceRun(), tests: changedTests(tests) }, overrides);

const ramp = (unit: string, lastPassing: number): Json => ({
  benchmark_mode: "tier",
  metrics: null,
  stress_result: {
    unit,
    first_load: 10,
    last_passing_load: lastPassing,
    breaking_load: Math.round(lastPassing * 1.25),
    rungs: 2,
    stop_reason: "mspt_exceeded",
  },
  stress_progression: [
    {
      rung: 1,
      load: lastPassing,
      unit,
      duration_ms: 20_000,
      ticks: 400,
      tps_avg: 20,
      mspt_avg: 31.2,
      mspt_p95: 47.9,
      mspt_max: 61.4,
      passed: true,
      stop_reason: null,
    },
  ],
});

/** The reference host's upload in `stresslimit` mode: its load tests are ramps. */
export const referenceStressPayload = (overrides: Json = {}, tests: TestChanges = {}): Json =>
  referencePayload(
    { benchmark_mode: "stresslimit", ...overrides },
    {
      exploration_chunk_generation: ramp("players", 40),
      entities_ai: ramp("entities", 2500),
      entities_items: ramp("items", 12_000),
      mechanics_redstone: ramp("lines", 1500),
      mechanics_hopper: ramp("hoppers", 6000),
      ...tests,
    },
  );

/** The reference upload once accepted. Throws when the overrides break a rule of the payload. */
export const acceptedPayload = (overrides: Json = {}, tests: TestChanges = {}): ReportPayload =>
  ReportPayload.parse(referencePayload(overrides, tests));

/** The overrides of an upload that measured only the host: the tests of the game are absent, and so are its ticks. */
export const hostOnly = (tests: TestChanges = {}): Json => ({
  ticks: null,
  gc: null,
  heap: null,
  tests: changedTests({
    exploration_chunk_generation: null,
    entities_ai: null,
    entities_items: null,
    mechanics_redstone: null,
    mechanics_hopper: null,
    ...tests,
  }),
});

/** The accepted upload of a run that measured only the host. */
export const hostOnlyPayload = (tests: TestChanges = {}): ReportPayload => acceptedPayload(hostOnly(tests));

/** A public report made from an accepted upload, the reference one unless told otherwise. */
export const reportDetail = (
  payload: ReportPayload = acceptedPayload(),
  row: Partial<ReportDetail> = {},
): ReportDetail => ({
  conditions: null,
  id: "01935f2e-8c00-7000-8000-000000000001",
  short_id: "a2b3c4d5e6f7",
  visibility: "public",
  source: payload.source,
  server_id: null,
  certified: false,
  certified_at: null,
  created_at: "2026-11-20T07:12:04.000Z",
  expires_at: null,
  ran_at: payload.finished_at,
  label: null,
  ...reportContent(payload, scoreReport(payload)),
  ...row,
});
