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
] as const satisfies readonly (keyof Sample)[];
export type HealthField = (typeof healthFields)[number];
