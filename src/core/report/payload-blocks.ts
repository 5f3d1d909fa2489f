import { z } from "zod";
import { knownSettings } from "../software/known-settings.ts";
import { thirdPartyText } from "../text/third-party-text.ts";
import {
  nullableBoolean,
  nullableInt,
  nullableMspt,
  nullableNumber,
  nullableText,
  nullableTps,
  optionalBlock,
} from "./payload-fields.ts";

// 16 TiB in MB of 1 048 576 bytes.
const mostMb = 16_777_216;

// ASCII only, so that lower case never makes the text longer than its limit.
const lowerCase = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** `type` is a family name, kept in lower case. */
export const ServerBlock = z.object({
  type: thirdPartyText(64).transform(lowerCase).nullable().default(null),
  type_name: nullableText(64),
  build: nullableText(64),
  game_version: nullableText(64),
  mod_loader: nullableText(64),
  is_hybrid: nullableBoolean(),
  os_name: nullableText(120),
  java_version: nullableText(120),
  java_vendor: nullableText(120),
  plugin_count: nullableInt(0, 5000),
  mod_count: nullableInt(0, 5000),
});

/** `*_gb` in GiB; `cpu_quota_cores` is null if the container has no CPU quota. */
export const HardwareBlock = z.object({
  cpu_name: nullableText(120),
  cpu_cores: nullableInt(1, 4096),
  cpu_threads: nullableInt(1, 4096),
  available_processors: nullableInt(1, 4096),
  cpu_quota_cores: nullableNumber(0.01, 4096),
  cpu_frequency_ghz: nullableNumber(0.1, 15),
  ram_gb: nullableNumber(0.1, 65_536),
  memory_limit_gb: nullableNumber(0.1, 65_536),
  disk_type: nullableText(32),
});

const Collector = z.enum([
  "g1",
  "zgc",
  "zgc_generational",
  "shenandoah",
  "parallel",
  "serial",
  "cms",
  "other",
]);

export const JvmBlock = optionalBlock({
  collector: Collector.nullable().default(null),
  java_major: nullableInt(8, 99),
  heap_max_mb: nullableInt(64, mostMb),
  heap_initial_mb: nullableInt(64, mostMb),
  flags: z.array(thirdPartyText(200)).max(100).nullable().default(null),
});

/** Periods and `throttled_ms` are differences of cgroup `cpu.stat` over the run. */
export const HostBlock = optionalBlock({
  steal_percent_avg: nullableNumber(0, 100),
  steal_percent_max: nullableNumber(0, 100),
  throttled_periods: nullableInt(0, 1e9),
  total_periods: nullableInt(0, 1e9),
  throttled_ms: nullableInt(0, 1e9),
  container_limit_mb: nullableInt(0, mostMb),
  rss_peak_mb: nullableInt(0, mostMb),
  /** CPU time of other programs on the machine over the run, percent of one core. */
  other_cpu_percent: nullableNumber(0, 409_600),
  /** Share of the run in which some program waited for a processor. */
  cpu_pressure_percent: nullableNumber(0, 100),
});

/** Server settings for tuning advice; null: unknown. */
export const ConfigBlock = optionalBlock(knownSettings);

/** Ticks of the gameplay phase; the two spike fields sum the ticks of 100 ms or more. */
export const TicksBlock = optionalBlock({
  count: nullableInt(0, 10_000_000),
  duration_seconds: nullableNumber(0, 86_400),
  tps: optionalBlock({ avg: nullableTps(), min: nullableTps() }),
  mspt: optionalBlock({
    avg: nullableMspt(),
    p50: nullableMspt(),
    p95: nullableMspt(),
    p99: nullableMspt(),
    max: nullableMspt(),
  }),
  over_50ms: nullableInt(0, 10_000_000),
  spike_wall_ms: nullableNumber(0, 1e8),
  spike_cpu_ms: nullableNumber(0, 1e8),
});

/** Stop-the-world pauses of the gameplay phase. */
export const GcBlock = optionalBlock({
  pauses_count: nullableInt(0, Number.MAX_SAFE_INTEGER),
  pause_total_ms: nullableNumber(0, Number.MAX_SAFE_INTEGER),
  pause_max_ms: nullableNumber(0, Number.MAX_SAFE_INTEGER),
  explicit_gc_count: nullableInt(0, Number.MAX_SAFE_INTEGER),
  humongous_allocations: nullableInt(0, Number.MAX_SAFE_INTEGER),
});

export const HeapBlock = optionalBlock({
  used_avg_mb: nullableInt(0, mostMb),
  used_max_mb: nullableInt(0, mostMb),
  max_mb: nullableInt(0, mostMb),
  after_gc_max_mb: nullableInt(0, mostMb),
  after_gc_last_mb: nullableInt(0, mostMb),
  after_gc_samples: nullableInt(0, mostMb),
});
