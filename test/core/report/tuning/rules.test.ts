import { describe, expect, it } from "vitest";
import { targetOf } from "../../../../src/core/report/before-after/targets.ts";
import { TuningCode } from "../../../../src/core/report/tuning/recommendation.ts";
import type { Evaluation } from "../../../../src/core/report/tuning/rule.ts";
import { tuningRules } from "../../../../src/core/report/tuning/tuning-advice.ts";
import { acceptedPayload, type Json, type TestChanges } from "../../../support/payload.ts";
import { both, type Change } from "./change.ts";
import { scenarios } from "./scenarios.ts";

/** What a rule says of the reference run with changes laid over it. */
function evaluated(code: TuningCode, { run, tests }: Change): Evaluation {
  const rule = tuningRules.find((candidate) => candidate.code === code);
  if (!rule) throw new Error(`No rule ${code}.`);
  return rule.evaluate(acceptedPayload(run, tests));
}
/** The same on top of the run on which the rule fires. */
const varied = (code: TuningCode, run: Json, tests: TestChanges = {}): Evaluation =>
  evaluated(code, both(scenarios[code].fires, { run, tests }));
const suggestion = (evaluation: Evaluation) =>
  typeof evaluation === "string" ? evaluation : evaluation.suggested;
const metric = (evaluation: Evaluation) =>
  typeof evaluation === "string" ? evaluation : evaluation.trigger.metric;

describe.each(TuningCode.options.map((code) => [code, scenarios[code]] as const))("%s", (code, scenario) => {
  it("[OUR-TUN-01] [TUN-02] fires at its threshold, and tells the measurement, what is set and what to set", () => {
    expect(evaluated(code, scenario.fires)).toEqual(scenario.says);
  });

  it.each(scenario.quiet)("[OUR-TUN-01] is quiet just beyond it: %o", (change) => {
    expect(evaluated(code, both(scenario.fires, change))).toBe("quiet");
  });

  it.each(scenario.unknown)("[OUR-TUN-02] says nothing when what it needs is unknown: %o", (change) => {
    expect(evaluated(code, both(scenario.fires, change))).toBe("unknown");
  });

  it("[OUR-TUN-03] is quiet once its suggestion is followed", () => {
    const { followed } = scenario;
    const isSetting = followed !== null;
    expect(isSetting).toBe(!["cpu_report_steal", "disk_faster_storage", "chunks_pregenerate"].includes(code));
    if (isSetting) expect(evaluated(code, both(scenario.fires, followed))).toBe("quiet");
  });
});

it("[OUR-TUN-04] there is one rule for each code, with where to change, what to run again and where to read on", () => {
  expect(tuningRules.map(({ code }) => code)).toEqual(TuningCode.options);
  for (const { code, area, setting, retest, source } of tuningRules) {
    expect(code.startsWith(`${area}_`)).toBe(true);
    expect(source).toMatch(/^https:\/\//);
    expect(setting.key).not.toBeNull();
    expect(setting.file === null).toBe(setting.kind !== "config");
    expect(targetOf(code)?.metric, code).toBe(retest.metric);
  }
});

describe("rules with more than one way", () => {
  const periods = (throttled_periods: number, hardware: Json = {}): Json => ({
    hardware: { cpu_cores: 8, available_processors: 4, ...hardware },
    host: { throttled_periods, total_periods: 1000 },
  });

  it("[OUR-TUN-05] a quota is raised for throttling, whatever it is, and for few processors while it is below four", () => {
    const at = (run: Json) => metric(evaluated("cpu_raise_quota", { run }));
    expect(at(periods(50, { cpu_quota_cores: 3.5 }))).toBe("throttled_periods_percent");
    expect(at(periods(49, { cpu_quota_cores: 3.5 }))).toBe("quiet");
    expect(at(periods(49, { cpu_quota_cores: 3, available_processors: 3 }))).toBe("available_processors");
    expect(at(periods(49, { cpu_quota_cores: 4, available_processors: 3 }))).toBe("quiet");
    expect(at(periods(500, { available_processors: 3 }))).toBe("throttled_periods_percent");
    expect(at(periods(500, { available_processors: null }))).toBe("throttled_periods_percent");
  });

  it.each<[number | null, number | null, number]>([
    [1, 1, 4],
    [2.5, 3, 4],
    [3, 3, 5],
    [4, 4, 6],
    [5.5, 6, 9],
    [6, 6, 9],
    [64, 64, 96],
    [null, 6, 9],
    [null, null, 4],
  ])("[OUR-TUN-05] throttled at a quota of %s, %s processors: up to %i cores", (quota, available, to) => {
    const run = periods(50, { cpu_quota_cores: quota, available_processors: available });
    expect(suggestion(evaluated("cpu_raise_quota", { run }))).toBe(to);
  });

  it("[OUR-TUN-06] a heap is made 60 % full, in steps of 512 MB, up to 1,500 MB below the container's limit", () => {
    const heap = (after_gc_max_mb: number, max_mb: number, container_limit_mb: number) =>
      suggestion(
        evaluated("memory_raise_heap", {
          run: {
            heap: { after_gc_max_mb, after_gc_last_mb: null, max_mb },
            jvm: { heap_max_mb: max_mb },
            host: { container_limit_mb },
          },
        }),
      );
    expect(heap(3072, 3800, 16_384)).toBe(5120);
    expect(heap(3073, 3800, 16_384)).toBe(5632);
    expect(heap(3073, 3800, 6000)).toBe(4500);
    expect(heap(3073, 3800, 5301)).toBe(3801);
    expect(heap(3073, 3800, 5300)).toBe("quiet");
  });

  it("[OUR-TUN-06] without a limit of the container the room is the machine's limit, else its memory", () => {
    const heap = (hardware: Json) =>
      suggestion(
        evaluated("memory_raise_heap", {
          run: {
            heap: { after_gc_max_mb: 3073, after_gc_last_mb: null, max_mb: 3800 },
            jvm: { heap_max_mb: 3800 },
            host: { container_limit_mb: null },
            hardware,
          },
        }),
      );
    expect(heap({ memory_limit_gb: null, ram_gb: 16 })).toBe(5632);
    expect(heap({ memory_limit_gb: 6, ram_gb: 64 })).toBe(6144 - 1500);
    expect(heap({ memory_limit_gb: null, ram_gb: 6.5 })).toBe(6656 - 1500);
    expect(heap({ memory_limit_gb: 5, ram_gb: 64 })).toBe("quiet");
    expect(heap({ memory_limit_gb: null, ram_gb: null })).toBe("unknown");
  });

  it("[OUR-TUN-06] no heap below one step is suggested", () => {
    const within = (container_limit_mb: number) =>
      suggestion(evaluated("memory_leave_headroom", { run: { host: { container_limit_mb } } }));
    expect([within(2011), within(2012), within(0)]).toEqual(["quiet", 512, "quiet"]);
  });

  it("[OUR-TUN-07] Aikar's flags are for G1 with long pauses or much time in them, and without a large new generation", () => {
    const flags = (list: string[]) => suggestion(varied("jvm_aikar_flags", { jvm: { flags: list } }));
    expect(flags(["-XX:G1NewSizePercent=29"])).toMatch(/^-XX:\+UseG1GC .*-XX:G1NewSizePercent=30 /);
    expect(flags(["-XX:G1NewSizePercent=30"])).toBe("quiet");
    expect(flags(["-XX:G1NewSizePercent=40", "-XX:G1NewSizePercent=20"])).not.toBe("quiet");
    expect(flags(["-XX:G1NewSizePercent=what"])).not.toBe("quiet");
    const share = (pause_total_ms: number) =>
      metric(evaluated("jvm_aikar_flags", { run: { gc: { pause_total_ms } } }));
    expect([share(11_999), share(12_000)]).toEqual(["quiet", "gc_time_percent"]);
  });

  it("[OUR-TUN-07] tells the size of the new generation that is set", () => {
    const at = (flags: string[]) => {
      const evaluation = varied("jvm_aikar_flags", { jvm: { flags } });
      return typeof evaluation === "string" ? evaluation : evaluation.current;
    };
    expect([at(["-XX:G1NewSizePercent=5"]), at(["-XX:G1NewSizePercent=x"]), at([])]).toEqual([5, null, null]);
  });

  it.each([
    [21, "-XX:+UseZGC -XX:+ZGenerational"],
    [22, "-XX:+UseZGC -XX:+ZGenerational"],
    [23, "-XX:+UseZGC"],
    [25, "-XX:+UseZGC"],
  ])("[OUR-TUN-08] on Java %i ZGC is switched on by %s", (java_major, flags) => {
    expect(suggestion(varied("jvm_generational_zgc", { jvm: { java_major } }))).toBe(flags);
  });

  it.each(["parallel", "serial", "cms"])("[OUR-TUN-08] %s is left for G1", (collector) => {
    expect(suggestion(varied("jvm_leave_parallel", { jvm: { collector } }))).toBe("-XX:+UseG1GC");
  });

  it("[OUR-TUN-08] of a flag given twice the last one counts, and a heap from 12 GB has larger regions", () => {
    const explicit = (...flags: string[]) =>
      suggestion(varied("jvm_disable_explicit_gc", { jvm: { flags } }));
    expect(explicit("-XX:+DisableExplicitGC", "-XX:-DisableExplicitGC")).toBe("-XX:+DisableExplicitGC");
    expect(explicit("-XX:-DisableExplicitGC", "-XX:+DisableExplicitGC")).toBe("quiet");
    const region = (heap_max_mb: number) => suggestion(varied("jvm_region_size", { jvm: { heap_max_mb } }));
    expect([region(12_287), region(12_288)]).toEqual(["8M", "16M"]);
    expect(varied("jvm_region_size", { jvm: { flags: ["-XX:G1HeapRegionSize=4M"] } })).toBe("quiet");
  });

  it("[OUR-TUN-09] a disk is slow by reads a second or by either p99, and only when asked directly", () => {
    const disk = (metrics: Json) =>
      metric(evaluated("disk_faster_storage", { tests: { disk_random_4k: { metrics } } }));
    expect(disk({ read_p99_ms: 50.1 })).toBe("disk_random_4k.read_p99_ms");
    expect(disk({ write_p99_ms: 50.1 })).toBe("disk_random_4k.write_p99_ms");
    expect(disk({ write_p99_ms: 50.1, direct_io: null })).toBe("unknown");
  });

  it.each([
    [10, 50, 4],
    [5, 50, 4],
    [4, 50, "quiet"],
    [7, 49.9, 6],
    [6, 49.9, "quiet"],
    [5, null, "unknown"],
    [4, null, "quiet"],
  ])("[OUR-TUN-10] a simulation distance of %i at %s ms a tick: %s", (simulation_distance, avg, expected) => {
    const mspt = { avg, p50: null, p95: null, p99: null, max: null };
    const run = { config: { simulation_distance }, ticks: { mspt } };
    expect(suggestion(evaluated("chunks_simulation_distance", { run }))).toBe(expected);
  });

  it("[OUR-TUN-10] players are held at unloaded chunks for a slow disk too", () => {
    const tests = {
      exploration_chunk_generation: { metrics: { chunks_per_second: 40 } },
      disk_random_4k: { metrics: { read_p99_ms: 50.1 } },
    };
    expect(metric(varied("chunks_prevent_unloaded_moves", {}, tests))).toBe("tps_min");
  });

  it("[OUR-TUN-11] an activation range of 0 is no range at all", () => {
    const range = (activation_range_monsters: number) =>
      suggestion(varied("entities_activation_range", { config: { activation_range_monsters } }));
    expect([range(0), range(-1), range(1), range(24)]).toEqual([24, 24, "quiet", "quiet"]);
  });
});
