import { z } from "zod";
import { MetricKey } from "../compare.ts";

/** In the order of the answer. */
export const TuningArea = z.enum(["cpu", "memory", "jvm", "disk", "chunks", "entities", "mechanics"]);
export type TuningArea = z.infer<typeof TuningArea>;

/** `reason` says why an area was not measured, and is null otherwise. */
export const AreaAdvice = z.object({
  area: TuningArea,
  status: z.enum(["recommended", "nothing_to_change", "not_measured"]),
  reason: z.enum(["test_absent", "test_failed", "custom_mode", "settings_unknown"]).nullable(),
  recommendations: z.int(),
});
export type AreaAdvice = z.infer<typeof AreaAdvice>;

export const TuningCode = z.enum([
  "cpu_raise_quota",
  "cpu_report_steal",
  "memory_raise_heap",
  "memory_leave_headroom",
  "memory_raise_container",
  "jvm_xms_equals_xmx",
  "jvm_aikar_flags",
  "jvm_leave_parallel",
  "jvm_generational_zgc",
  "jvm_disable_explicit_gc",
  "jvm_region_size",
  "disk_faster_storage",
  "disk_sync_chunk_writes",
  "disk_autosave_spread",
  "chunks_view_distance",
  "chunks_simulation_distance",
  "chunks_pregenerate",
  "chunks_prevent_unloaded_moves",
  "entities_activation_range",
  "entities_spawn_limit",
  "entities_collisions",
  "entities_inactive_villagers",
  "entities_item_merge",
  "mechanics_redstone_impl",
  "mechanics_hopper_occluding",
  "mechanics_hopper_check",
]);
export type TuningCode = z.infer<typeof TuningCode>;

/** `file` is null for every kind but `config`. */
const Setting = z.object({
  kind: z.enum(["config", "jvm_flag", "host", "action"]),
  file: z.string().nullable(),
  key: z.string().nullable(),
});

const settingValue = z.union([z.string(), z.number(), z.boolean()]).nullable();
export type SettingValue = z.infer<typeof settingValue>;

const Trigger = z.object({
  metric: z.string(),
  value: z.number(),
  unit: z.string(),
  comparator: z.enum(["above", "below", "at_least", "at_most", "equals"]),
  threshold: z.number(),
});
export type Trigger = z.infer<typeof Trigger>;

const Retest = z.object({
  test_id: z.string(),
  metric: MetricKey,
});
export type Retest = z.infer<typeof Retest>;

/** `current` is null if the setting is not set, or the change is no setting. `source` is a link. */
export const Recommendation = z.object({
  code: TuningCode,
  area: TuningArea,
  setting: Setting,
  current: settingValue,
  suggested: settingValue,
  unit: z.string().nullable(),
  trigger: Trigger,
  retest: Retest,
  /** Most first. */
  impact: z.enum(["high", "medium", "low"]),
  /** Least first. */
  risk: z.enum(["none", "low", "medium"]),
  side_effect: z.string().nullable(),
  source: z.string(),
});
export type Recommendation = z.infer<typeof Recommendation>;
