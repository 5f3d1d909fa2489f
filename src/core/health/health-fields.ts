import type { Sample } from "../metric/sample.ts";

/** The fields that rules read, in the order of the columns of samples. */
export const healthFields = [
  "tps",
  "mspt",
  "mspt_p95",
  "worst_tick_ms",
  "player_count",
  "ram_max_mb",
  "heap_after_gc_mb",
  "rss_mb",
  "container_limit_mb",
  "cpu_usage",
  "cpu_system",
  "gc_stw_ms",
  "entity_count",
  "loaded_chunks",
  "tile_entities",
  "mspt_region_avg",
  "container_used_mb",
  "disk_free_mb",
  "disk_total_mb",
  "backup_disk_free_mb",
  "backup_disk_total_mb",
  "largest_world_mb",
  "target_tps",
] as const satisfies readonly (keyof Sample)[];
export type HealthField = (typeof healthFields)[number];

/** What a sender has in every sample or in none; worlds are measured now and then. */
export type SteadyField = Exclude<HealthField, "largest_world_mb">;
export const steadyFields = healthFields.filter(
  (field): field is SteadyField => field !== "largest_world_mb",
);
