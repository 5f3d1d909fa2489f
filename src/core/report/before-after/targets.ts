import { z } from "zod";
import { accepting } from "../../accepted-form.ts";
import { MetricKey } from "../compare.ts";
import type { ContextField } from "../context.ts";
import { TuningCode } from "../tuning/recommendation.ts";
import { tuningRules } from "../tuning/tuning-advice.ts";

const jvm: ContextField[] = ["jvm_flags", "collector", "heap_initial_mb"];
const heap: ContextField[] = ["heap_max_mb", "memory_limit_gb"];

/** Context fields that change when the advice is followed. */
const implied: Readonly<Record<TuningCode, readonly ContextField[]>> = {
  cpu_raise_quota: ["available_processors", "cpu_quota_cores"],
  cpu_report_steal: [],
  memory_raise_heap: heap,
  memory_leave_headroom: heap,
  memory_raise_container: ["memory_limit_gb"],
  jvm_xms_equals_xmx: jvm,
  jvm_aikar_flags: jvm,
  jvm_leave_parallel: jvm,
  jvm_generational_zgc: jvm,
  jvm_disable_explicit_gc: jvm,
  jvm_region_size: jvm,
  disk_faster_storage: ["disk_type"],
  disk_sync_chunk_writes: ["config.sync_chunk_writes"],
  disk_autosave_spread: ["config.max_auto_save_chunks_per_tick"],
  chunks_view_distance: ["config.view_distance"],
  chunks_simulation_distance: ["config.simulation_distance"],
  chunks_pregenerate: [],
  chunks_prevent_unloaded_moves: ["config.prevent_moving_into_unloaded_chunks"],
  entities_activation_range: ["config.activation_range_monsters"],
  entities_spawn_limit: ["config.spawn_limit_monsters"],
  entities_collisions: ["config.max_entity_collisions"],
  entities_inactive_villagers: ["config.tick_inactive_villagers"],
  entities_item_merge: ["config.merge_radius_item"],
  mechanics_redstone_impl: ["config.redstone_implementation"],
  mechanics_hopper_occluding: ["config.hopper_ignore_occluding_blocks"],
  mechanics_hopper_check: ["config.hopper_check_ticks"],
};

export interface MetricTarget {
  readonly value: string;
  readonly kind: "recommendation" | "metric";
  readonly metric: MetricKey;
  readonly implies: readonly ContextField[];
}

/** The key of a score, or a code of tuning advice, judged by its re-test's score; null for other words. */
export function targetOf(value: string): MetricTarget | null {
  const rule = tuningRules.find(({ code }) => code === value);
  if (rule) {
    const { code, retest } = rule;
    return { value, kind: "recommendation", metric: retest.metric, implies: implied[code] };
  }
  const metric = MetricKey.safeParse(value);
  return metric.success ? { value, kind: "metric", metric: metric.data, implies: [] } : null;
}

export const TargetInput = accepting(
  z.string().refine((value) => targetOf(value) !== null),
  `a code of tuning advice (${TuningCode.options.join(", ")}), or one of ${MetricKey.options.join(", ")}`,
);

const testsOf = {
  single_core: ["cpu_single_core"],
  multi_core: ["cpu_multi_core"],
  memory: ["memory_bandwidth", "memory_latency"],
  disk: ["disk_sequential", "disk_random_4k"],
  exploration: ["exploration_chunk_generation"],
  entities: ["entities_ai", "entities_items"],
  mechanics: ["mechanics_redstone", "mechanics_hopper"],
} as const;

const { single_core, multi_core, memory, disk, exploration, entities, mechanics } = testsOf;
const hardware = [...single_core, ...multi_core, ...memory, ...disk];
const gameplay = [...exploration, ...entities, ...mechanics];

export const testsBehind: Readonly<Record<MetricKey, readonly string[]>> = {
  ...testsOf,
  hardware,
  gameplay,
  total: [...hardware, ...gameplay],
};
