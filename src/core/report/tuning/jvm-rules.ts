import type { ReportPayload } from "../payload.ts";
import { aikarFlags, collectorFlag, flagValue, isSwitchedOn } from "./jvm-flags.ts";
import { explicitGcs, gcPauseMax, gcTime, humongousAllocations } from "./measurements.ts";
import { anyOf, atLeast, judge, jvmFlag, rule, type TuningRule, type Truth } from "./rule.ts";
import { sources } from "./sources.ts";

// Two ticks, and the four that players notice (Aikar's flags, MaxGCPauseMillis).
const longPauseMs = 100;
const noticedPauseMs = 200;
const gcTimePercent = 2;
const manyHumongous = 100;
const leastNewSizePercent = 30;
// Below this every collector is quick.
const smallHeapMb = 2048;
// From here on Aikar's larger regions apply, and ZGC has the room it needs.
const largeHeapMb = 12_288;

const isG1 = ({ jvm }: ReportPayload): Truth => (jvm.collector === null ? null : jvm.collector === "g1");
const isOtherThanG1 = ({ jvm }: ReportPayload): Truth =>
  jvm.collector === null ? null : jvm.collector !== "g1";
const atLeastOrUnknown = (value: number | null, least: number): Truth =>
  value === null ? null : value >= least;

const xmsEqualsXmx = rule({
  code: "jvm_xms_equals_xmx",
  area: "jvm",
  setting: jvmFlag("-Xms"),
  unit: "MB",
  retest: "entities_ai",
  impact: "low",
  risk: "low",
  side_effect: "memory_claimed_at_start",
  source: sources.aikarsFlags,
  evaluate(payload) {
    const { heap_initial_mb: initial, heap_max_mb: max } = payload.jvm;
    return judge({
      current: initial,
      suggested: max,
      because: atLeast(gcPauseMax(payload), longPauseMs),
      settled: initial === null || max === null ? null : initial === max,
      needs: [isG1(payload)],
    });
  },
});

const aikar = rule({
  code: "jvm_aikar_flags",
  area: "jvm",
  setting: jvmFlag("-XX:G1NewSizePercent"),
  unit: null,
  retest: "entities_ai",
  impact: "high",
  risk: "low",
  side_effect: "replaces_other_g1_flags",
  source: sources.aikarsFlags,
  evaluate(payload) {
    const newSize = flagValue(payload.jvm, "G1NewSizePercent");
    const percent = Number(newSize ?? 0);
    return judge({
      current: newSize !== undefined && Number.isFinite(percent) ? percent : null,
      suggested: aikarFlags,
      because: anyOf(atLeast(gcPauseMax(payload), noticedPauseMs), atLeast(gcTime(payload), gcTimePercent)),
      settled: newSize === null ? null : percent >= leastNewSizePercent,
      needs: [isG1(payload)],
    });
  },
});

/** Collectors whose pauses grow with the heap. */
const longStops: ReadonlySet<string> = new Set(["parallel", "serial", "cms"]);

const leaveParallel = rule({
  code: "jvm_leave_parallel",
  area: "jvm",
  setting: jvmFlag("-XX:+UseG1GC"),
  unit: null,
  retest: "entities_ai",
  impact: "high",
  risk: "low",
  side_effect: "replaces_collector",
  source: sources.aikarsFlags,
  evaluate(payload) {
    const { collector, heap_max_mb } = payload.jvm;
    return judge({
      current: collectorFlag(payload.jvm),
      suggested: "-XX:+UseG1GC",
      because: atLeast(gcPauseMax(payload), longPauseMs),
      settled: collector === null ? null : !longStops.has(collector),
      needs: [atLeastOrUnknown(heap_max_mb, smallHeapMb)],
    });
  },
});

const zgcFlags = (javaMajor: number): string =>
  javaMajor < 23 ? "-XX:+UseZGC -XX:+ZGenerational" : "-XX:+UseZGC";

const generationalZgc = rule({
  code: "jvm_generational_zgc",
  area: "jvm",
  setting: jvmFlag("-XX:+UseZGC"),
  unit: null,
  retest: "entities_ai",
  impact: "medium",
  risk: "medium",
  side_effect: "more_cpu_and_heap_used",
  source: sources.generationalZgc,
  evaluate(payload) {
    const { java_major: java, heap_max_mb } = payload.jvm;
    const g1AsTuned = aikar.evaluate(payload);
    return judge({
      current: collectorFlag(payload.jvm),
      suggested: java === null ? null : zgcFlags(java),
      because: atLeast(gcPauseMax(payload), noticedPauseMs),
      settled: isOtherThanG1(payload),
      needs: [
        g1AsTuned === "unknown" ? null : g1AsTuned === "quiet",
        atLeastOrUnknown(java, 21),
        atLeastOrUnknown(heap_max_mb, largeHeapMb),
        atLeastOrUnknown(payload.hardware.available_processors, 6),
      ],
    });
  },
});

const disableExplicitGc = rule({
  code: "jvm_disable_explicit_gc",
  area: "jvm",
  setting: jvmFlag("-XX:+DisableExplicitGC"),
  unit: null,
  retest: "entities_ai",
  impact: "medium",
  risk: "low",
  side_effect: "plugins_cannot_force_collections",
  source: sources.aikarsFlags,
  evaluate(payload) {
    const disabled = isSwitchedOn(payload.jvm, "DisableExplicitGC");
    return judge({
      current: null,
      suggested: "-XX:+DisableExplicitGC",
      because: atLeast(explicitGcs(payload), 1),
      settled: disabled,
    });
  },
});

const regionSize = rule({
  code: "jvm_region_size",
  area: "jvm",
  setting: jvmFlag("-XX:G1HeapRegionSize"),
  unit: null,
  retest: "exploration_chunk_generation",
  impact: "medium",
  risk: "low",
  side_effect: "fewer_larger_regions",
  source: sources.aikarsFlags,
  evaluate(payload) {
    const size = flagValue(payload.jvm, "G1HeapRegionSize");
    const { heap_max_mb: heapMb } = payload.jvm;
    return judge({
      current: null,
      suggested: heapMb === null ? null : heapMb >= largeHeapMb ? "16M" : "8M",
      because: atLeast(humongousAllocations(payload), manyHumongous),
      settled: size === null ? null : size !== undefined,
      needs: [isG1(payload)],
    });
  },
});

export const jvmRules: readonly TuningRule[] = [
  xmsEqualsXmx,
  aikar,
  leaveParallel,
  generationalZgc,
  disableExplicitGc,
  regionSize,
];
