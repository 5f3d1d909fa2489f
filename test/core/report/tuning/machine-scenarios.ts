import { both, config, host, jvm, metrics, mspt, run, type Scenario } from "./change.ts";

/** Scenarios of processors, memory and disk. */
export const machineScenarios = {
  cpu_raise_quota: {
    fires: run({ hardware: { cpu_cores: 8, available_processors: 3, cpu_quota_cores: 2.5 } }),
    says: {
      current: null,
      suggested: 4,
      trigger: {
        metric: "available_processors",
        value: 3,
        unit: "cores",
        comparator: "at_most",
        threshold: 3,
      },
    },
    quiet: [
      run({ hardware: { available_processors: 4, cpu_quota_cores: 3.5 } }),
      run({ hardware: { cpu_cores: 5 } }),
      run({ hardware: { cpu_quota_cores: 4 } }),
    ],
    unknown: [run({ hardware: { available_processors: null } }), run({ hardware: { cpu_cores: null } })],
    followed: run({ hardware: { cpu_quota_cores: 4, available_processors: 4 } }),
  },
  cpu_report_steal: {
    fires: host({ steal_percent_avg: 10 }),
    says: {
      current: null,
      suggested: "dedicated_vcpu_or_other_host",
      trigger: {
        metric: "steal_percent_avg",
        value: 10,
        unit: "percent",
        comparator: "at_least",
        threshold: 10,
      },
    },
    quiet: [host({ steal_percent_avg: 9.9 })],
    unknown: [host({ steal_percent_avg: null })],
    followed: null,
  },
  memory_raise_heap: {
    fires: run({ heap: { max_mb: 8000, after_gc_max_mb: 6400 }, jvm: { heap_max_mb: 8000 } }),
    says: {
      current: 8000,
      suggested: 10_752,
      trigger: {
        metric: "heap_after_gc_percent",
        value: 80,
        unit: "percent",
        comparator: "at_least",
        threshold: 80,
      },
    },
    quiet: [run({ heap: { after_gc_max_mb: 6399 } }), host({ container_limit_mb: 9500 })],
    unknown: [
      run({ heap: { after_gc_max_mb: null } }),
      run({ heap: { max_mb: null } }),
      jvm({ heap_max_mb: null }),
      run({
        host: { container_limit_mb: null },
        hardware: { memory_limit_gb: null, ram_gb: null },
      }),
    ],
    followed: run({ heap: { max_mb: 10_752 }, jvm: { heap_max_mb: 10_752 } }),
  },
  memory_leave_headroom: {
    fires: run({ host: { container_limit_mb: 9000 }, jvm: { heap_max_mb: 8001 } }),
    says: {
      current: 8001,
      suggested: 7500,
      trigger: { metric: "heap_max_mb", value: 8001, unit: "MB", comparator: "above", threshold: 8000 },
    },
    quiet: [jvm({ heap_max_mb: 8000 }), run({ host: { container_limit_mb: 2011 } })],
    unknown: [jvm({ heap_max_mb: null }), host({ container_limit_mb: null })],
    followed: jvm({ heap_max_mb: 7500 }),
  },
  memory_raise_container: {
    fires: host({ container_limit_mb: 10_000, rss_peak_mb: 9500 }),
    says: {
      current: null,
      suggested: 10_925,
      trigger: {
        metric: "rss_peak_percent",
        value: 95,
        unit: "percent",
        comparator: "at_least",
        threshold: 95,
      },
    },
    quiet: [host({ rss_peak_mb: 9499 })],
    unknown: [host({ rss_peak_mb: null }), host({ container_limit_mb: null })],
    followed: host({ container_limit_mb: 10_925 }),
  },
  disk_faster_storage: {
    fires: metrics("disk_random_4k", { read_iops: 999 }),
    says: {
      current: null,
      suggested: "local_nvme_or_ssd",
      trigger: {
        metric: "disk_random_4k.read_iops",
        value: 999,
        unit: "iops",
        comparator: "below",
        threshold: 1000,
      },
    },
    quiet: [metrics("disk_random_4k", { read_iops: 1000, read_p99_ms: 50, write_p99_ms: 50 })],
    unknown: [
      metrics("disk_random_4k", { read_iops: null }),
      metrics("disk_random_4k", { direct_io: false }),
      { tests: { disk_random_4k: null } },
      { tests: { disk_random_4k: { outcome: "failure", success: false } } },
    ],
    followed: null,
  },
  disk_sync_chunk_writes: {
    fires: both(
      run({ server: { type: "fabric" }, config: { sync_chunk_writes: true } }),
      metrics("disk_random_4k", { write_p99_ms: 5 }),
    ),
    says: {
      current: true,
      suggested: false,
      trigger: {
        metric: "disk_random_4k.write_p99_ms",
        value: 5,
        unit: "ms",
        comparator: "at_least",
        threshold: 5,
      },
    },
    quiet: [metrics("disk_random_4k", { write_p99_ms: 4.9 })],
    unknown: [
      metrics("disk_random_4k", { write_p99_ms: null }),
      config({ sync_chunk_writes: null }),
      config({ sync_chunk_writes: "true" }),
      run({ server: { type: null } }),
      run({ server: { type: "mohist" } }),
    ],
    followed: config({ sync_chunk_writes: false }),
  },
  disk_autosave_spread: {
    fires: both(
      run({ config: { max_auto_save_chunks_per_tick: 24 }, ticks: { mspt: { p95: 40, p99: 45 } } }),
      metrics("disk_random_4k", { write_p99_ms: 5 }),
    ),
    says: {
      current: 24,
      suggested: 8,
      trigger: { metric: "mspt_p95", value: 40, unit: "ms", comparator: "at_least", threshold: 40 },
    },
    quiet: [mspt({ p95: 39.9 }), metrics("disk_random_4k", { write_p99_ms: 4.9 })],
    unknown: [
      mspt({ p95: null }),
      metrics("disk_random_4k", { write_p99_ms: null }),
      config({ max_auto_save_chunks_per_tick: null }),
    ],
    followed: config({ max_auto_save_chunks_per_tick: 8 }),
  },
} satisfies Record<string, Scenario>;
