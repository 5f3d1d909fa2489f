import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ReportPayload } from "../../../src/core/report/payload.ts";
import { acceptedPayload, referencePayload, referenceStressPayload } from "../../support/payload.ts";
import type { Json, TestChanges } from "../../support/payload.ts";

/** Paths of all issues, as JSON Pointers. */
function refusals(payload: unknown): string[] {
  const result = ReportPayload.safeParse(payload);
  return (result.error?.issues ?? []).map(({ path }) => path.map((step) => `/${String(step)}`).join(""));
}
const refused = (overrides: Json, tests: TestChanges = {}) => refusals(referencePayload(overrides, tests));
/** Position of a test in the reference upload. */
const indexOf = (testId: string) => acceptedPayload().tests.findIndex((test) => test.test_id === testId);

describe("accepts", () => {
  it("[OUR-PAY-01] the reference uploads of every mode", () => {
    expect(refusals(referencePayload())).toEqual([]);
    expect(refusals(referenceStressPayload())).toEqual([]);
    expect(refused({ benchmark_mode: "custom", tests: [] })).toEqual([]);
  });

  it("[OUR-PAY-02] unknown keys, and drops them", () => {
    const extra = { future: { deep: [1] } };
    const payload = acceptedPayload({ ...extra, server: extra, ticks: { mspt: extra }, config: extra });
    expect(payload).toEqual(acceptedPayload());
  });

  it("[OUR-PAY-03] reads a missing key, a null and a missing block as not measured", () => {
    const bare = ReportPayload.parse({
      schema: "service-benchmark-report/1",
      local_id: "a",
      plugin_version: "1.10.2",
      benchmark_mode: "standard",
      started_at: "2026-11-20T07:02:03Z",
      finished_at: "2026-11-20T08:12:03+01:00",
      server: {},
      hardware: {},
      ticks: null,
      gc: {},
      tests: [],
    });
    expect(bare).toMatchObject({
      source: "manual",
      job_nonce: null,
      description: null,
      dispersed_zones: null,
      server: { type: null, is_hybrid: null, plugin_count: null },
      hardware: { cpu_name: null, ram_gb: null },
      jvm: { collector: null, flags: null },
      host: { steal_percent_avg: null },
      config: { view_distance: null },
      ticks: { count: null, tps: { min: null }, mspt: { p95: null } },
      gc: { pause_total_ms: null },
      heap: { after_gc_max_mb: null },
    });
  });

  it("[OUR-PAY-03] reads a test that says only what it must", () => {
    const [test] = acceptedPayload({ tests: [{ test_id: "x", outcome: "skipped", success: false }] }).tests;
    expect(test).toEqual({
      test_id: "x",
      test_name: null,
      category: null,
      sub_category: null,
      benchmark_mode: null,
      outcome: "skipped",
      success: false,
      reason_code: null,
      duration_ms: null,
      metrics: null,
      parameters: null,
      flags: null,
      percentiles: null,
      tps: { avg: null, min: null, max: null },
      mspt: { avg: null, min: null, max: null },
      host_limit: null,
      witnesses: [],
      stress_result: null,
      stress_progression: null,
    });
  });

  it("[OUR-PAY-05] a server type in any case, kept in lower case", () => {
    expect(acceptedPayload({ server: { type: "NeoForge" } }).server.type).toBe("neoforge");
  });

  it("[OUR-PAY-11] tick rates up to 25, kept as 20 at most", () => {
    const { ticks } = acceptedPayload({ ticks: { tps: { avg: 20.1, min: 25 } } });
    expect(ticks.tps).toEqual({ avg: 20, min: 20 });
    const { tests } = acceptedPayload({}, { entities_ai: { tps: { avg: 20.3, max: 19.5 } } });
    expect(tests[indexOf("entities_ai")]?.tps).toEqual({ avg: 20, min: null, max: 19.5 });
  });

  it("[OUR-PAY-13] rungs and results of a ramp", () => {
    const test = ReportPayload.parse(referenceStressPayload()).tests.find(
      ({ test_id }) => test_id === "entities_ai",
    );
    expect(test?.stress_result).toMatchObject({ last_passing_load: 2500, breaking_load: 3125 });
    expect(test?.stress_progression).toHaveLength(1);
  });
});

describe("refuses", () => {
  const required =
    "schema local_id plugin_version benchmark_mode started_at finished_at server hardware tests".split(" ");

  it.each(required)("[OUR-PAY-01] an upload without %s", (key) => {
    expect(refused({ [key]: undefined })).toEqual([`/${key}`]);
  });

  it.each([
    ["REP-06", "/benchmark_mode", { benchmark_mode: "turbo" }],
    ["REP-07", "/source", { source: "imported" }],
    ["OUR-PAY-01", "/schema", { schema: "service-benchmark-report/2" }],
    ["OUR-PAY-04", "/local_id", { local_id: "" }],
    ["OUR-PAY-04", "/started_at", { started_at: "2026-11-20 07:02" }],
    ["OUR-PAY-04", "/finished_at", { finished_at: "2026-02-30T07:02:00Z" }],
    ["OUR-PAY-04", "/server", { server: null }],
    ["OUR-PAY-04", "/hardware", { hardware: [] }],
    ["OUR-PAY-04", "/ticks", { ticks: "none" }],
    ["OUR-PAY-04", "/dispersed_zones", { dispersed_zones: -1 }],
    ["OUR-PAY-04", "/description", { description: "x".repeat(4001) }],
    ["OUR-PAY-04", "/hosting_tier", { hosting_tier: "x".repeat(65) }],
    ["OUR-PAY-04", "/server/plugin_count", { server: { plugin_count: 5001 } }],
    ["OUR-PAY-04", "/server/is_hybrid", { server: { is_hybrid: "yes" } }],
    ["OUR-PAY-04", "/hardware/cpu_cores", { hardware: { cpu_cores: 0 } }],
    ["OUR-PAY-04", "/hardware/cpu_threads", { hardware: { cpu_threads: 2.5 } }],
    ["OUR-PAY-04", "/hardware/cpu_quota_cores", { hardware: { cpu_quota_cores: 0 } }],
    ["OUR-PAY-04", "/hardware/ram_gb", { hardware: { ram_gb: 65_537 } }],
    ["OUR-PAY-04", "/hardware/cpu_frequency_ghz", { hardware: { cpu_frequency_ghz: Infinity } }],
    ["OUR-PAY-04", "/jvm/collector", { jvm: { collector: "mark-sweep" } }],
    ["OUR-PAY-04", "/jvm/java_major", { jvm: { java_major: 7 } }],
    ["OUR-PAY-04", "/jvm/flags", { jvm: { flags: Array(101).fill("-Xmx8G") } }],
    ["OUR-PAY-04", "/jvm/flags/0", { jvm: { flags: ["x".repeat(201)] } }],
    ["OUR-PAY-04", "/host/steal_percent_avg", { host: { steal_percent_avg: 100.1 } }],
    ["OUR-PAY-04", "/config/view_distance", { config: { view_distance: {} } }],
    ["OUR-PAY-04", "/ticks/count", { ticks: { count: "12000" } }],
    ["OUR-PAY-11", "/ticks/tps/avg", { ticks: { tps: { avg: 25.1 } } }],
    ["OUR-PAY-04", "/ticks/mspt/max", { ticks: { mspt: { max: 600_001 } } }],
    ["OUR-PAY-04", "/gc/pause_total_ms", { gc: { pause_total_ms: -1 } }],
    ["OUR-PAY-04", "/heap/used_max_mb", { heap: { used_max_mb: 16_777_217 } }],
    ["OUR-PAY-04", "/tests", { tests: {} }],
  ])("[%s] a value that does not fit at %s", (_, path, overrides) => {
    expect(refused(overrides)).toEqual([path]);
  });

  it.each([
    ["/description", { description: "a\u0000b" }],
    ["/server/type_name", { server: { type_name: "\ud800" } }],
    ["/hardware/cpu_name", { hardware: { cpu_name: "\udc00x" } }],
    ["/local_id", { local_id: "a\u0000" }],
  ])("[OUR-PAY-06] text no store can hold at %s", (path, overrides) => {
    expect(refused(overrides)).toEqual([path]);
  });

  it.each([
    ["/ticks/mspt/avg", { ticks: { mspt: { avg: 48.2 } } }],
    ["/ticks/mspt/p50", { ticks: { mspt: { p50: 29.6 } } }],
    ["/ticks/mspt/p95", { ticks: { mspt: { p95: 38.3 } } }],
    ["/ticks/mspt/p99", { ticks: { mspt: { p99: 48.2 } } }],
    ["/ticks/mspt/p50", { ticks: { mspt: { p50: 48.2, p95: null, p99: null } } }],
    ["/ticks/over_50ms", { ticks: { over_50ms: 12_001 } }],
    ["/ticks/spike_cpu_ms", { ticks: { spike_wall_ms: 100, spike_cpu_ms: 105.1 } }],
    ["/host/throttled_periods", { host: { throttled_periods: 6001 } }],
    ["/heap/after_gc_max_mb", { heap: { max_mb: 2800, after_gc_max_mb: 2829 } }],
    ["/heap/after_gc_last_mb", { heap: { max_mb: 2900, after_gc_last_mb: 2930 } }],
  ])("[OUR-PAY-07] a contradiction, named at %s", (path, overrides) => {
    expect(refused(overrides)).toEqual([path]);
  });

  it.each([
    ["equal tick times", { ticks: { mspt: { avg: 30, p50: 30, p95: 30, p99: 30, max: 30 } } }],
    ["every tick late", { ticks: { over_50ms: 12_000 } }],
    ["spike CPU time 5 % above wall time", { ticks: { spike_wall_ms: 100, spike_cpu_ms: 105 } }],
    ["every period throttled", { host: { throttled_periods: 6000 } }],
    ["heap after GC 1 % above the maximum", { heap: { max_mb: 2800, after_gc_max_mb: 2828 } }],
    ["an unknown bound", { heap: { max_mb: null }, ticks: { count: null, mspt: { max: null } } }],
  ])("[OUR-PAY-07] but accepts the boundary: %s", (_, overrides) => {
    expect(refused(overrides)).toEqual([]);
  });
});

describe("tests of an upload", () => {
  const at = (testId: string, path: string) => `/tests/${indexOf(testId)}${path}`;

  it.each([
    ["success", true, []],
    ["failure", false, []],
    ["skipped", false, []],
    ["success", false, ["/success"]],
    ["failure", true, ["/success"]],
    ["skipped", true, ["/success"]],
    ["crashed", false, ["/outcome"]],
    ["success", undefined, ["/success"]],
    ["success", null, ["/success"]],
  ])("[OUR-PAY-08] outcome %s with success %s is refused at %j", (outcome, success, paths) => {
    expect(refused({}, { entities_ai: { outcome, success } })).toEqual(
      paths.map((path) => at("entities_ai", path)),
    );
  });

  it.each([
    ["1.7.9", []],
    ["0.9", []],
    ["v1.7.0-SNAPSHOT", []],
    ["1", []],
    ["1.8.0", ["/outcome"]],
    ["1.10.2", ["/outcome"]],
    ["2.0", ["/outcome"]],
    ["nightly", ["/outcome"]],
  ])("[OUR-PAY-09] a null outcome from plugin %s is refused at %j", (plugin_version, paths) => {
    expect(refused({ plugin_version }, { entities_ai: { outcome: null } })).toEqual(
      paths.map((path) => at("entities_ai", path)),
    );
  });

  it.each([
    ["cpu_single_core", "ops_per_second", 0],
    ["cpu_single_core", "ops_per_second", 1.1e12],
    ["cpu_multi_core", "threads", 0],
    ["memory_bandwidth", "read_gb_s", 5001],
    ["memory_bandwidth", "write_gb_s", "16"],
    ["memory_bandwidth", "copy_gb_s", Number.NaN],
    ["memory_latency", "latency_ns", 0.9],
    ["disk_sequential", "read_mb_s", -1],
    ["disk_sequential", "write_mb_s", 1e6 + 1],
    ["disk_random_4k", "direct_io", "true"],
    ["disk_random_4k", "read_iops", 0],
    ["disk_random_4k", "read_p99_ms", 0.0009],
    ["disk_random_4k", "write_p99_ms", 600_001],
    ["disk_random_4k", "queue_depth", 32],
    ["disk_random_4k", "samples", 999],
    ["exploration_chunk_generation", "chunks_per_second", 0],
    ["entities_ai", "entity_ticks_per_ms", 1e8],
    ["entities_items", "entity_ticks_per_ms", []],
    ["mechanics_redstone", "updates_per_ms", Infinity],
    ["mechanics_hopper", "transfers_per_ms", false],
  ])("[OUR-PAY-10] metric %s.%s of %s is refused where it stands", (testId, key, value) => {
    expect(refused({}, { [testId]: { metrics: { [key]: value } } })).toEqual([at(testId, `/metrics/${key}`)]);
  });

  it("[OUR-PAY-10] metrics of tests that feed no score, and unknown metrics of those that do, are not looked at", () => {
    const opaque = { ops_per_second: -5, anything: { at: ["all"] } };
    expect(refused({}, { memory_stress: { metrics: opaque }, my_own_test: { metrics: opaque } })).toEqual([]);
    expect(refused({}, { constructor: { metrics: { name: 1 } } })).toEqual([]);
    expect(refused({}, { memory_latency: { metrics: { anything: "at all" } } })).toEqual([]);
  });

  it("[OUR-PAY-10] few samples are fine without a 99th percentile", () => {
    const metrics = { samples: 12, read_p99_ms: null, write_p99_ms: null };
    expect(refused({}, { disk_random_4k: { metrics } })).toEqual([]);
  });

  it("[OUR-PAY-12] a scored test appears once in a scored run, any number of times in a custom one", () => {
    const test = { test_id: "entities_ai", outcome: "success", success: true };
    const own = { ...test, test_id: "my_own_test" };
    expect(refused({ tests: [test, own, test, own] })).toEqual(["/tests/2/test_id"]);
    expect(refused({ benchmark_mode: "custom", tests: [test, test] })).toEqual([]);
  });

  it.each([
    ["/witnesses/0/actual", { witnesses: [{ key: "a", expected: 1, actual: -1, unit: null }] }],
    ["/witnesses/0/expected", { witnesses: [{ key: "a", actual: 1 }] }],
    ["/host_limit/setting", { host_limit: { limit: 1, needed: 2, unit: "MB" } }],
    ["/metrics", { metrics: [1] }],
    ["/flags", { flags: "fast" }],
    ["/duration_ms", { duration_ms: 1.5 }],
    ["/stress_result/stop_reason", { stress_result: { stop_reason: "tired" } }],
    ["/stress_result/last_passing_load", { stress_result: { last_passing_load: -1 } }],
    ["/stress_progression/0/passed", { stress_progression: [{ passed: 1 }] }],
    ["/test_id", { test_id: "" }],
  ])("[OUR-PAY-13] a test whose shape is wrong at %s", (path, change) => {
    expect(refused({}, { entities_ai: change })).toEqual([at("entities_ai", path)]);
  });
});

it("[OUR-PAY-04] any JSON at all is accepted or refused, never a crash", () => {
  const keys = Object.keys(referencePayload());
  fc.assert(
    fc.property(fc.constantFrom(...keys), fc.jsonValue(), (key, value) => {
      const result = ReportPayload.safeParse({ ...referencePayload(), [key]: value });
      for (const issue of result.error?.issues ?? []) expect(issue.path[0]).toBe(key);
    }),
  );
});
