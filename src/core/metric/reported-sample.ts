import { z } from "zod";
import { thirdPartyText } from "../text/third-party-text.ts";
import { IsoInstant, parseInstant } from "../time.ts";
import { settlePause, type Sample } from "./sample.ts";

/** A key the plugin leaves out is a value it does not know. */
const optional = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? null);

// Wide enough for any machine, narrow enough that sums stay exact integers.
const largestCount = 1_000_000_000_000;

const integer = z.int().min(0).max(largestCount);
const number = z.number().min(0).max(largestCount);
/** Real servers answer 20.1 ticks a second; up to 25 is measurement noise, beyond it a mistake. */
const tps = z
  .number()
  .min(0)
  .max(25)
  .transform((value) => Math.min(value, 20));
/** Process CPU over a short window reads a little above 100 %; beyond 105 it is a mistake. */
const percent = z
  .number()
  .min(0)
  .max(105)
  .transform((value) => Math.min(value, 100));
/** Block coordinates reach 30 million; the margin is for regions centred beyond the border. */
const coordinate = z.int().min(-40_000_000).max(40_000_000);
const name = thirdPartyText(120);

const ReportedWorld = z.object({
  name,
  players: optional(integer),
  entities: optional(integer),
  chunks: optional(integer),
});

const ReportedRegion = z.object({
  id: optional(z.int()),
  world: name,
  center_x: coordinate,
  center_z: coordinate,
  chunks: optional(integer),
  players: optional(integer),
  entities: optional(integer),
  ticks: optional(integer),
  ticks_over_50ms: optional(integer),
  tps: optional(tps),
  mspt: optional(number),
  mspt_p95: optional(number),
  mspt_max: optional(number),
  lag_seconds: optional(number),
});

const instant = IsoInstant.transform((value) => parseInstant(value) ?? 0);

/**
 * A sample as a plugin sends it: every field of `current`, plus `sampled_at` and `paused_since` (ISO 8601).
 * Unknown keys are ignored, missing ones are null; a value of a wrong type or out of range refuses the body.
 */
export const ReportedSample = z.object({
  sampled_at: instant,
  paused_since: optional(instant),
  tps: optional(tps),
  mspt: optional(number),
  player_count: optional(integer),
  entity_count: optional(integer),
  loaded_chunks: optional(integer),
  cpu_cores: optional(integer),
  tile_entities: optional(integer),
  ram_used_mb: optional(number),
  ram_max_mb: optional(integer),
  cpu_usage: optional(percent),
  cpu_system: optional(percent),
  worst_tick_ms: optional(number),
  mspt_p95: optional(number),
  ticks_over_50ms: optional(integer),
  lag_seconds: optional(number),
  heap_after_gc_mb: optional(integer),
  rss_mb: optional(integer),
  container_limit_mb: optional(integer),
  ping_ms: optional(number),
  gc_stw_ms: optional(number),
  paused_empty: optional(z.boolean()),
  worlds_top: optional(z.array(ReportedWorld).max(3)),
  region_count: optional(integer),
  tps_region_avg: optional(tps),
  mspt_region_avg: optional(number),
  region_source: optional(z.enum(["folia_regions", "player_sections"])),
  regions_omitted: optional(integer),
  regions: optional(z.array(ReportedRegion).max(64)),
});
export type ReportedSample = z.infer<typeof ReportedSample>;

/** The measurement without its times, pauses settled: what is stored and shown. */
export function sampleOf(reported: ReportedSample): Sample {
  const { sampled_at: _sampledAt, paused_since: _pausedSince, ...sample } = reported;
  return settlePause(sample);
}
