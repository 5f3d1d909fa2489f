import fc from "fast-check";
import { ReportPayload } from "../../../src/core/report/payload.ts";
import { referencePayload, type Json } from "../../support/payload.ts";

/** Null in a seventh of all cases. */
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 6 });
const whole = (max: number, min = 0) => orNull(fc.integer({ min, max }));
const real = (max: number, min = 0) => orNull(fc.double({ min, max, noNaN: true, noDefaultInfinity: true }));
/** Numbers the rules turn on, and whatever lies around them. */
const near = (...thresholds: number[]) =>
  orNull(
    fc
      .tuple(fc.constantFrom(...thresholds), fc.constantFrom(0.5, 0.99, 1, 1.01, 2))
      .map(([threshold, factor]) => threshold * factor),
  );

const hardware = fc.record({
  cpu_cores: whole(16, 1),
  available_processors: whole(16, 1),
  cpu_quota_cores: orNull(fc.constantFrom(0.5, 2, 3.5, 4, 8)),
});

const host = fc
  .record({
    steal_percent_avg: near(10),
    steal_percent_max: near(10),
    total_periods: orNull(fc.constantFrom(0, 100, 6000)),
    throttledShare: near(0.05, 0.1, 0.25),
    container_limit_mb: orNull(fc.constantFrom(0, 1000, 2048, 8192, 16_384)),
    rss_peak_mb: whole(16_384),
  })
  .map(({ throttledShare, ...block }) =>
    Object.assign(block, {
      throttled_periods:
        throttledShare === null ? null : Math.floor(throttledShare * (block.total_periods ?? 100)),
    }),
  );

const jvm = fc.record({
  collector: orNull(fc.constantFrom("g1", "zgc", "parallel", "serial", "cms", "other")),
  java_major: orNull(fc.constantFrom(17, 20, 21, 22, 23, 25)),
  heap_max_mb: orNull(fc.constantFrom(1024, 2047, 2048, 7192, 8192, 12_288, 15_384, 16_000)),
  heap_initial_mb: orNull(fc.constantFrom(1024, 8192)),
  flags: orNull(
    fc.subarray([
      "-XX:G1NewSizePercent=29",
      "-XX:G1NewSizePercent=30",
      "-XX:G1NewSizePercent=x",
      "-XX:+DisableExplicitGC",
      "-XX:-DisableExplicitGC",
      "-XX:G1HeapRegionSize=4M",
    ]),
  ),
});

const ticks = fc
  .record({
    count: orNull(fc.constantFrom(599, 600, 12_000, 12_000)),
    duration_seconds: orNull(fc.constantFrom(0, 30, 600, 600, 600)),
    tps: fc.record({ avg: near(18), min: near(10, 16) }),
    avg: near(5, 25, 40, 50),
    mspt: fc.array(near(40, 50, 100, 1000), { minLength: 4, maxLength: 4 }),
    spikes: orNull(fc.tuple(real(10_000), real(1))),
  })
  .map(({ avg, mspt, spikes, tps, ...block }) => {
    const known = mspt.filter((value) => value !== null).sort((a, b) => a - b);
    const sorted = mspt.map((value) => (value === null ? null : (known.shift() ?? null)));
    const [p50, p95, p99, max = null] = sorted;
    const [wall, share] = spikes ?? [null, null];
    return Object.assign(block, {
      tps: { avg: tps.avg === null ? null : Math.min(25, tps.avg), min: tps.min && Math.min(25, tps.min) },
      mspt: { avg: avg === null || max === null ? avg : Math.min(avg, max), p50, p95, p99, max },
      over_50ms: null,
      spike_wall_ms: wall,
      spike_cpu_ms: wall === null || share === null ? null : wall * share,
    });
  });

const gc = fc.record({
  pauses_count: whole(1000),
  pause_total_ms: near(30, 300, 3000, 6000, 12_000, 60_000),
  pause_max_ms: near(2, 10, 50, 100, 200, 500),
  explicit_gc_count: whole(2),
  humongous_allocations: near(100).map((value) => value && Math.round(value)),
});

const heap = fc
  .record({
    max_mb: orNull(fc.constantFrom(0, 2048, 8192)),
    full: near(0.4, 0.5),
  })
  .map(({ max_mb, full }) => ({
    max_mb,
    after_gc_max_mb: full === null ? null : Math.floor(full * (max_mb ?? 1)),
  }));

const setting = (...values: (string | number | boolean)[]) => orNull(fc.constantFrom(...values));
const config = fc.record({
  view_distance: setting(7, 8, 12, "default"),
  simulation_distance: setting(4, 5, 6, 7, 10, "default"),
  sync_chunk_writes: setting(true, false, "true"),
  max_auto_save_chunks_per_tick: setting(8, 9, 24),
  prevent_moving_into_unloaded_chunks: setting(true, false),
  activation_range_monsters: setting(0, 24, 25, 32),
  spawn_limit_monsters: setting(20, 21, 70),
  max_entity_collisions: setting(0, 2, 3, 8),
  tick_inactive_villagers: setting(true, false),
  merge_radius_item: setting(0.5, 3.4, 3.5, 4),
  redstone_implementation: setting("VANILLA", "EIGENCRAFT", "ALTERNATE_CURRENT", true),
  hopper_ignore_occluding_blocks: setting(true, false),
  hopper_check_ticks: setting(1, 7, 8),
});

const metricsOf: Record<string, fc.Arbitrary<Json>> = {
  cpu_single_core: fc.record({ ops_per_second: near(1e6) }),
  cpu_multi_core: fc.record({ ops_per_second: near(6e6) }),
  memory_bandwidth: fc.record({ read_gb_s: near(22), write_gb_s: near(16), copy_gb_s: near(14) }),
  memory_latency: fc.record({ latency_ns: near(95) }),
  disk_sequential: fc.record({ read_mb_s: near(3000), write_mb_s: near(1500) }),
  disk_random_4k: fc.record({
    direct_io: orNull(fc.boolean()),
    read_iops: near(200, 1000),
    read_p99_ms: near(5, 50, 200),
    write_p99_ms: near(5, 50, 200),
  }),
  exploration_chunk_generation: fc.record({ chunks_per_second: near(20, 24) }),
  entities_ai: fc.record({ entity_ticks_per_ms: near(36) }),
  entities_items: fc.record({ entity_ticks_per_ms: near(240) }),
  mechanics_redstone: fc.record({ updates_per_ms: near(540) }),
  mechanics_hopper: fc.record({ transfers_per_ms: near(150) }),
  "plugin:own": fc.constant({}),
};

const anyTest = (testId: string, metrics: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc
    .record({
      test_id: fc.constant(testId),
      outcome: fc.constantFrom("success", "success", "success", "failure", "skipped"),
      reason_code: orNull(fc.constantFrom("io_throttled", "because")),
      duration_ms: whole(1000),
      metrics: orNull(metrics),
      host_limit: fc.option(
        fc.record({
          setting: fc.constant("pids.max"),
          limit: real(100),
          needed: real(100),
          unit: orNull(fc.string()),
        }),
        { freq: 1 },
      ),
      witnesses: fc.array(
        fc.record({
          key: fc.constantFrom("a", "b"),
          expected: fc.integer({ min: 0, max: 100 }),
          actual: fc.integer({ min: 0, max: 100 }),
        }),
        { maxLength: 2 },
      ),
      stress_result: orNull(fc.record({ last_passing_load: real(10_000) })),
    })
    .map((test) => Object.assign(test, { success: test.outcome === "success" }));

const tests = fc
  .tuple(...Object.entries(metricsOf).map(([id, metrics]) => fc.option(anyTest(id, metrics), { freq: 5 })))
  .map((all) => all.filter((test) => test !== null));

const inMode = (mode: fc.Arbitrary<string>) =>
  fc
    .record({
      benchmark_mode: mode,
      server: fc.record({
        type: orNull(fc.constantFrom("paper", "spigot", "craftbukkit", "vanilla", "fabric", "mohist")),
        is_hybrid: orNull(fc.boolean()),
      }),
      hardware,
      host,
      jvm,
      ticks,
      gc,
      heap,
      config,
      tests,
    })
    .map((blocks) => ReportPayload.parse({ ...referencePayload(), ...blocks }));

/** Uploads around every threshold, with anything missing, that the payload's own rules accept. */
export const anyPayload = inMode(
  fc.constantFrom("standard", "standard", "standard", "stresslimit", "custom"),
);
