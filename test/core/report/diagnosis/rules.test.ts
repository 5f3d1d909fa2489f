import { describe, expect, it } from "vitest";
import type { DiagnosisFinding } from "../../../../src/core/report/diagnosis/finding.ts";
import { findingsIn } from "../../../../src/core/report/diagnosis/diagnosis.ts";
import { hostReasons } from "../../../../src/core/report/diagnosis/host-rules.ts";
import { ReportPayload } from "../../../../src/core/report/payload.ts";
import {
  acceptedPayload,
  referenceStressPayload,
  type Json,
  type TestChanges,
} from "../../../support/payload.ts";

const all = (overrides: Json = {}, tests: TestChanges = {}): DiagnosisFinding[] =>
  findingsIn(acceptedPayload(overrides, tests));
const codes = (overrides: Json = {}, tests: TestChanges = {}): string[] =>
  all(overrides, tests).map(({ code }) => code);
const find = (code: string, overrides: Json, tests: TestChanges = {}): DiagnosisFinding | null =>
  all(overrides, tests).find((finding) => finding.code === code) ?? null;
const verdict = (code: string, overrides: Json, tests: TestChanges = {}): string | null => {
  const found = find(code, overrides, tests);
  return found && `${found.severity} ${found.cause ?? "-"}`;
};
const keys = (finding: DiagnosisFinding | null): string[] | undefined =>
  finding?.evidence.map(({ key, value, unit }) => `${key} ${value} ${unit ?? "-"}`);

it("[OUR-DIA-01] the reference host has nothing to complain of", () => {
  expect(all()).toEqual([]);
});

describe("cpu_quota", () => {
  const processors = (cpu_cores: number, available_processors: number, host: Json = {}) => ({
    hardware: { cpu_cores, available_processors },
    host: { total_periods: 1000, ...host },
  });
  it.each([
    [8, 4, {}, "info cpu_quota"],
    [8, 5, {}, null],
    [2, 1, {}, null],
    [3, 1, {}, "critical cpu_quota"],
    [4, 2, {}, "warning cpu_quota"],
    [8, 3, {}, "warning cpu_quota"],
    [8, 4, { throttled_periods: 49 }, "info cpu_quota"],
    [8, 4, { throttled_periods: 50 }, "warning cpu_quota"],
    [8, 4, { throttled_periods: 249 }, "warning cpu_quota"],
    [8, 4, { throttled_periods: 250 }, "critical cpu_quota"],
    [8, 4, { throttled_periods: 0, total_periods: 0 }, "info cpu_quota"],
    [8, 4, { throttled_periods: null, total_periods: null }, "info cpu_quota"],
  ])("[DIA-10] [OUR-DIA-02] %i cores, %i processors and %o: %s", (cores, available, host, expected) => {
    expect(verdict("cpu_quota", processors(cores, available, host))).toBe(expected);
  });

  it("[OUR-DIA-02] is silent when a count is unknown, and leaves unknown evidence out", () => {
    expect(codes({ hardware: { cpu_cores: null, available_processors: 1 } })).toEqual([]);
    expect(codes({ hardware: { cpu_cores: 8, available_processors: null } })).toEqual([]);
    const found = find("cpu_quota", processors(8, 4, { throttled_periods: null }));
    expect(keys(found)).toEqual([
      "available_processors 4 cores",
      "cpu_cores 8 cores",
      "total_periods 1000 periods",
    ]);
    const quota = {
      ...processors(8, 2),
      hardware: { cpu_cores: 8, available_processors: 2, cpu_quota_cores: 2 },
    };
    expect(keys(find("cpu_quota", quota))).toContain("cpu_quota_cores 2 cores");
    expect(found?.subject).toBeNull();
  });
});

describe("disk", () => {
  const disk = (metrics: Json, change: Json = {}) => ({ disk_random_4k: { metrics, ...change } });

  it.each([
    [{ read_p99_ms: 50 }, null],
    [{ read_p99_ms: 50.1 }, "warning disk_latency"],
    [{ read_p99_ms: 200 }, "warning disk_latency"],
    [{ read_p99_ms: 200.1 }, "critical disk_latency"],
    [{ read_p99_ms: 10, write_p99_ms: 51 }, "warning disk_latency"],
    [{ read_p99_ms: null, write_p99_ms: 51 }, "warning disk_latency"],
    [{ read_p99_ms: null, write_p99_ms: null }, null],
    [{ read_p99_ms: 300, direct_io: false }, null],
    [{ read_p99_ms: 300, direct_io: null }, null],
  ])("[DIA-12] [OUR-DIA-03] latency of %o: %s", (metrics, expected) => {
    expect(verdict("disk_latency_high", {}, disk(metrics))).toBe(expected);
  });

  it.each([
    [{ read_iops: 1000 }, null],
    [{ read_iops: 999.9 }, "warning disk_random_read"],
    [{ read_iops: 200 }, "warning disk_random_read"],
    [{ read_iops: 199.9 }, "critical disk_random_read"],
    [{ read_iops: null }, null],
    [{ read_iops: 10, direct_io: false }, null],
  ])("[DIA-12] [OUR-DIA-04] random reads of %o: %s", (metrics, expected) => {
    expect(verdict("random_read_starved", {}, disk(metrics))).toBe(expected);
  });

  it("[OUR-DIA-03] [OUR-DIA-04] a test that failed measured nothing", () => {
    const slow = { read_p99_ms: 300, read_iops: 10 };
    expect(codes({}, disk(slow, { outcome: "failure", success: false }))).toEqual([
      "test_failed",
      "random_4k_unmeasured",
    ]);
  });

  it("[OUR-DIA-03] [OUR-DIA-04] tell what was measured, and the threshold", () => {
    const tests = disk({ read_p99_ms: 60, write_p99_ms: null, read_iops: 300 });
    expect(keys(find("disk_latency_high", {}, tests))).toEqual(["read_p99_ms 60 ms", "tick_budget_ms 50 ms"]);
    expect(keys(find("random_read_starved", {}, tests))).toEqual([
      "read_iops 300 iops",
      "threshold_iops 1000 iops",
    ]);
    expect(find("disk_latency_high", {}, tests)?.subject).toBe("disk_random_4k");
  });

  it("[DIA-12] [OUR-DIA-05] R2: refused direct IO is told, with what was assumed instead", () => {
    const found = all({}, disk({ direct_io: false }));
    expect(found).toEqual([
      {
        code: "random_4k_unmeasured",
        severity: "info",
        subject: "disk_random_4k",
        cause: "unmeasured",
        evidence: [
          { key: "assumed_read_iops", value: 500, unit: "iops" },
          { key: "assumed_read_p99_ms", value: 20, unit: "ms" },
        ],
        reason_code: null,
      },
    ]);
    expect(codes({}, { disk_random_4k: null })).toEqual(["random_4k_unmeasured"]);
    expect(codes({}, { disk_random_4k: null, disk_sequential: null })).toEqual([]);
  });

  it("[DIA-11] [OUR-DIA-05] R3: absent memory latency is told, with what was assumed instead", () => {
    expect(all({}, { memory_latency: null })).toEqual([
      {
        code: "memory_latency_unmeasured",
        severity: "info",
        subject: "memory_latency",
        cause: "unmeasured",
        evidence: [{ key: "assumed_latency_ns", value: 200, unit: "ns" }],
        reason_code: null,
      },
    ]);
    expect(codes({}, { memory_latency: null, memory_bandwidth: null })).toEqual([]);
  });
});

describe("jvm_heap_saturated", () => {
  it.each([
    [7999, 10_000, null],
    [8000, 10_000, "warning jvm_heap"],
    [8999, 10_000, "warning jvm_heap"],
    [9000, 10_000, "critical jvm_heap"],
    [6552, 8190, "warning jvm_heap"],
    [6551, 8190, null],
    [null, 10_000, null],
    [8000, null, null],
    [0, 0, null],
  ])("[DIA-11] [OUR-DIA-06] %s of %s MB after a collection: %s", (after_gc_max_mb, max_mb, expected) => {
    const heap = { heap: { after_gc_max_mb, after_gc_last_mb: null, max_mb } };
    expect(verdict("jvm_heap_saturated", heap)).toBe(expected);
  });

  it("[OUR-DIA-06] tells both sizes and the threshold", () => {
    const heap = { heap: { after_gc_max_mb: 8000, after_gc_last_mb: null, max_mb: 10_000 } };
    expect(keys(find("jvm_heap_saturated", heap))).toEqual([
      "heap_after_gc_mb 8000 MB",
      "heap_max_mb 10000 MB",
      "threshold_percent 80 percent",
    ]);
  });
});

describe("host_constrained", () => {
  const limit = { setting: "pids.max", limit: 64, needed: 200, unit: "threads" };

  it("[DIA-10] [OUR-DIA-07] names the setting that bounded a test, also one that succeeded", () => {
    const found = find("host_constrained", {}, { cpu_multi_core: { host_limit: limit } });
    expect(found).toMatchObject({ severity: "warning", cause: "host_config", subject: "cpu_multi_core" });
    expect(keys(found)).toEqual(["pids.max 64 threads", "needed 200 threads"]);
  });

  it("[OUR-DIA-07] without numbers tells how long the test ran", () => {
    const bare = { ...limit, limit: null, needed: null };
    const found = find("host_constrained", {}, { cpu_multi_core: { host_limit: bare } });
    expect(keys(found)).toEqual(["duration_ms 20113 ms"]);
  });

  it.each([...hostReasons])(
    "[OUR-DIA-07] %s on a test that failed, was skipped or is told by an old plugin",
    (reason_code) => {
      for (const outcome of ["failure", "skipped"]) {
        const test = { outcome, success: false, reason_code };
        expect(verdict("host_constrained", {}, { memory_stress: test })).toBe("warning host_config");
      }
      const old = { outcome: null, success: false, reason_code };
      expect(codes({ plugin_version: "1.7.0" }, { memory_stress: old })).toContain("host_constrained");
      expect(codes({}, { memory_stress: { reason_code } })).toEqual([]);
    },
  );

  it("[OUR-DIA-07] other reasons are the plugin's affair", () => {
    const skipped = { outcome: "skipped", success: false, reason_code: "not_supported" };
    expect(codes({}, { memory_stress: skipped })).toEqual([]);
  });
});

describe("measurement_unreliable", () => {
  const witness = (expected: number, actual: number) => ({ key: "chunks", expected, actual, unit: "chunks" });
  it.each([
    [100, 95, null],
    [100, 94, "warning bench_artifact"],
    [100, 50, "warning bench_artifact"],
    [100, 49, "critical bench_artifact"],
    [100, 200, null],
    [0, 0, null],
  ])("[DIA-14] [OUR-DIA-08] %i expected and %i done: %s", (expected, actual, verdictOf) => {
    const tests = { exploration_chunk_generation: { witnesses: [witness(expected, actual)] } };
    expect(verdict("measurement_unreliable", {}, tests)).toBe(verdictOf);
  });

  it("[OUR-DIA-08] tells the witnesses that fell short, and only of tests that succeeded", () => {
    const witnesses = [witness(100, 60), { ...witness(10, 10), key: "players" }];
    const found = find("measurement_unreliable", {}, { entities_ai: { witnesses } });
    expect(keys(found)).toEqual(["chunks_expected 100 chunks", "chunks_actual 60 chunks"]);
    const failed = { entities_ai: { witnesses, outcome: "failure", success: false } };
    expect(codes({}, failed)).toEqual(["test_failed"]);
  });
});

describe("test_failed", () => {
  it("[DIA-15] [OUR-DIA-09] critical by outcome, a warning by success alone, nothing when skipped", () => {
    const end = (outcome: string | null) => ({ entities_ai: { outcome, success: false } });
    expect(verdict("test_failed", {}, end("failure"))).toBe("critical -");
    expect(verdict("test_failed", { plugin_version: "1.7.9" }, end(null))).toBe("warning -");
    expect(verdict("test_failed", {}, end("skipped"))).toBeNull();
    expect(keys(find("test_failed", {}, end("failure")))).toEqual(["duration_ms 20113 ms"]);
    const untimed = { entities_ai: { outcome: "failure", success: false, duration_ms: null } };
    expect(find("test_failed", {}, untimed)?.evidence).toEqual([]);
  });

  it("[OUR-DIA-01] R4: a test that is absent is no finding", () => {
    expect(all({}, { entities_ai: null })).toEqual([]);
  });
});

describe("runs of other modes", () => {
  const collapsed = {
    ticks: { tps: { avg: 19, min: 5 }, mspt: { avg: 55, p50: 50, p95: 90, p99: 300, max: 900 } },
    gc: { pause_max_ms: 800 },
  };

  it("[DIA-16] [OUR-DIA-10] the five tick-based findings are of standard runs alone", () => {
    expect(codes(collapsed)).toEqual([
      "single_core_saturated",
      "tick_spikes",
      "tick_spikes_from_gc",
      "tps_floor",
    ]);
    expect(codes({ ...collapsed, benchmark_mode: "custom" })).toEqual([]);
    expect(findingsIn(ReportPayload.parse(referenceStressPayload(collapsed)))).toEqual([]);
  });

  it("[OUR-DIA-10] R7: a custom run has every other finding but the two of assumptions", () => {
    const custom = { benchmark_mode: "custom", hardware: { available_processors: 1 } };
    expect(codes(custom, { memory_latency: null, disk_random_4k: null })).toEqual(["cpu_quota"]);
  });

  it("[OUR-DIA-10] R8: a stresslimit run has them, assumptions included", () => {
    expect(
      findingsIn(ReportPayload.parse(referenceStressPayload({}, { memory_latency: null }))),
    ).toMatchObject([{ code: "memory_latency_unmeasured" }]);
  });

  it("[OUR-DIA-11] of several tests of one id the worst finding is told, once", () => {
    const { tests, ...run } = acceptedPayload({ benchmark_mode: "custom" });
    const disk = tests.find(({ test_id }) => test_id === "disk_random_4k");
    const slow = (iops: number) => ({ ...disk, metrics: { ...disk?.metrics, read_iops: iops } });
    const payload = ReportPayload.parse({ ...run, tests: [slow(900), slow(100), slow(500)] });
    expect(findingsIn(payload).map(({ severity, evidence }) => [severity, evidence[0]?.value])).toEqual([
      ["critical", 100],
    ]);
  });
});
