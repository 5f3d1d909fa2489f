import { aikarFlags } from "../../../../src/core/report/tuning/jvm-flags.ts";
import { gc, jvm, run, type Scenario } from "./change.ts";

/** Scenarios of the Java virtual machine. */
export const jvmScenarios = {
  jvm_xms_equals_xmx: {
    fires: run({ jvm: { heap_initial_mb: 1024 }, gc: { pause_max_ms: 100 } }),
    says: {
      current: 1024,
      suggested: 8192,
      trigger: { metric: "gc_pause_max_ms", value: 100, unit: "ms", comparator: "at_least", threshold: 100 },
    },
    quiet: [gc({ pause_max_ms: 99 }), jvm({ collector: "zgc" })],
    unknown: [
      gc({ pause_max_ms: null }),
      jvm({ collector: null }),
      jvm({ heap_initial_mb: null }),
      jvm({ heap_max_mb: null }),
    ],
    followed: jvm({ heap_initial_mb: 8192 }),
  },
  jvm_aikar_flags: {
    fires: gc({ pause_max_ms: 200, pause_total_ms: 1000 }),
    says: {
      current: null,
      suggested: aikarFlags,
      trigger: { metric: "gc_pause_max_ms", value: 200, unit: "ms", comparator: "at_least", threshold: 200 },
    },
    quiet: [gc({ pause_max_ms: 199 }), jvm({ collector: "parallel" })],
    unknown: [gc({ pause_max_ms: null }), jvm({ collector: null }), jvm({ flags: null })],
    followed: jvm({ flags: aikarFlags.split(" ") }),
  },
  jvm_leave_parallel: {
    fires: run({ jvm: { collector: "parallel", heap_max_mb: 2048 }, gc: { pause_max_ms: 100 } }),
    says: {
      current: "-XX:+UseParallelGC",
      suggested: "-XX:+UseG1GC",
      trigger: { metric: "gc_pause_max_ms", value: 100, unit: "ms", comparator: "at_least", threshold: 100 },
    },
    quiet: [gc({ pause_max_ms: 99 }), jvm({ heap_max_mb: 2047 }), jvm({ collector: "other" })],
    unknown: [gc({ pause_max_ms: null }), jvm({ collector: null }), jvm({ heap_max_mb: null })],
    followed: jvm({ collector: "g1" }),
  },
  jvm_generational_zgc: {
    fires: run({
      jvm: { heap_max_mb: 12_288, java_major: 22, flags: ["-XX:G1NewSizePercent=40"] },
      hardware: { available_processors: 6 },
      gc: { pause_max_ms: 200 },
    }),
    says: {
      current: "-XX:+UseG1GC",
      suggested: "-XX:+UseZGC -XX:+ZGenerational",
      trigger: { metric: "gc_pause_max_ms", value: 200, unit: "ms", comparator: "at_least", threshold: 200 },
    },
    quiet: [
      gc({ pause_max_ms: 199 }),
      jvm({ flags: [] }),
      jvm({ java_major: 20 }),
      jvm({ heap_max_mb: 12_287 }),
      run({ hardware: { available_processors: 5 } }),
    ],
    unknown: [
      gc({ pause_max_ms: null }),
      jvm({ flags: null }),
      jvm({ java_major: null }),
      jvm({ heap_max_mb: null }),
      run({ hardware: { available_processors: null } }),
      jvm({ collector: null }),
    ],
    followed: jvm({ collector: "zgc_generational" }),
  },
  jvm_disable_explicit_gc: {
    fires: gc({ explicit_gc_count: 1 }),
    says: {
      current: null,
      suggested: "-XX:+DisableExplicitGC",
      trigger: { metric: "explicit_gc_count", value: 1, unit: "count", comparator: "at_least", threshold: 1 },
    },
    quiet: [gc({ explicit_gc_count: 0 })],
    unknown: [gc({ explicit_gc_count: null }), jvm({ flags: null })],
    followed: jvm({ flags: ["-XX:+DisableExplicitGC"] }),
  },
  jvm_region_size: {
    fires: gc({ humongous_allocations: 100 }),
    says: {
      current: null,
      suggested: "8M",
      trigger: {
        metric: "humongous_allocations",
        value: 100,
        unit: "count",
        comparator: "at_least",
        threshold: 100,
      },
    },
    quiet: [gc({ humongous_allocations: 99 }), jvm({ collector: "zgc" })],
    unknown: [
      gc({ humongous_allocations: null }),
      jvm({ flags: null }),
      jvm({ collector: null }),
      jvm({ heap_max_mb: null }),
    ],
    followed: jvm({ flags: ["-XX:G1HeapRegionSize=8M"] }),
  },
} satisfies Record<string, Scenario>;
