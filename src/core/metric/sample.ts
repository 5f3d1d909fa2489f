import { z } from "zod";
import { thirdPartyText } from "../text/third-party-text.ts";

const count = z.int().nullable();
const measure = z.number().nullable();

export const World = z.object({
  name: thirdPartyText(120),
  players: count,
  entities: count,
  chunks: count,
});

export const Region = z.object({
  id: count,
  world: thirdPartyText(120),
  center_x: z.int(),
  center_z: z.int(),
  chunks: count,
  players: count,
  entities: count,
  ticks: count,
  ticks_over_50ms: count,
  tps: measure,
  mspt: measure,
  mspt_p95: measure,
  mspt_max: measure,
  lag_seconds: measure,
});

/** One measurement of a game server, in the documentation's order: `current` of a status. */
export const Sample = z.object({
  tps: measure,
  mspt: measure,
  player_count: count,
  entity_count: count,
  loaded_chunks: count,
  cpu_cores: count,
  tile_entities: count,
  ram_used_mb: measure,
  ram_max_mb: count,
  cpu_usage: measure,
  cpu_system: measure,
  worst_tick_ms: measure,
  mspt_p95: measure,
  ticks_over_50ms: count,
  lag_seconds: measure,
  heap_after_gc_mb: count,
  rss_mb: count,
  container_limit_mb: count,
  ping_ms: measure,
  gc_stw_ms: measure,
  paused_empty: z.boolean().nullable(),
  worlds_top: z.array(World).nullable(),
  region_count: count,
  tps_region_avg: measure,
  mspt_region_avg: measure,
  region_source: z.enum(["folia_regions", "player_sections"]).nullable(),
  regions_omitted: count,
  regions: z.array(Region).nullable(),
});
export type Sample = z.infer<typeof Sample>;

/** The numeric fields of a sample: what a series can be drawn of, and a column each in the store. */
export const seriesFields = [
  "tps",
  "mspt",
  "player_count",
  "entity_count",
  "loaded_chunks",
  "cpu_cores",
  "tile_entities",
  "ram_used_mb",
  "ram_max_mb",
  "cpu_usage",
  "cpu_system",
  "worst_tick_ms",
  "mspt_p95",
  "ticks_over_50ms",
  "lag_seconds",
  "heap_after_gc_mb",
  "rss_mb",
  "container_limit_mb",
  "ping_ms",
  "gc_stw_ms",
  "region_count",
  "tps_region_avg",
  "mspt_region_avg",
  "regions_omitted",
] as const satisfies readonly (keyof Sample)[];
export type SeriesField = (typeof seriesFields)[number];

/** Fields that describe ticking, and mean nothing while the worlds do not tick. */
const tickFields = ["tps", "mspt", "mspt_p95", "worst_tick_ms", "ticks_over_50ms", "lag_seconds"] as const;

/**
 * A paused server does not tick, so its tick fields are unknown; and a server with players on it is not
 * paused, whatever the plugin said.
 */
export function settlePause(sample: Sample): Sample {
  if (sample.paused_empty !== true) return sample;
  if ((sample.player_count ?? 0) > 0) return { ...sample, paused_empty: false };
  const settled: Sample = { ...sample };
  for (const field of tickFields) settled[field] = null;
  return settled;
}
