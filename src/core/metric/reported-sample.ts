import { z } from "zod";
import { orNull, ReportedTps } from "../reported.ts";
import { thirdPartyText } from "../text/third-party-text.ts";
import { parseInstant } from "../time.ts";
import { IsoInstant } from "../timestamp.ts";
import { settlePause, type Sample } from "./sample.ts";

// Wide enough for any machine, narrow enough that sums stay exact integers.
const largestCount = 1_000_000_000_000;

const integer = z.int().min(0).max(largestCount);
const number = z.number().min(0).max(largestCount);
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
  players: orNull(integer),
  entities: orNull(integer),
  chunks: orNull(integer),
});

const ReportedRegion = z.object({
  id: orNull(z.int()),
  world: name,
  center_x: coordinate,
  center_z: coordinate,
  chunks: orNull(integer),
  players: orNull(integer),
  entities: orNull(integer),
  ticks: orNull(integer),
  ticks_over_50ms: orNull(integer),
  tps: orNull(ReportedTps),
  mspt: orNull(number),
  mspt_p95: orNull(number),
  mspt_max: orNull(number),
  lag_seconds: orNull(number),
});

const instant = IsoInstant.transform((value) => parseInstant(value) ?? 0);

/**
 * A sample as a plugin sends it: every field of `current`, plus `sampled_at` and `paused_since` (ISO 8601).
 * Unknown keys are ignored, missing ones are null; a value of a wrong type or out of range refuses the body.
 */
export const ReportedSample = z.object({
  sampled_at: instant,
  paused_since: orNull(instant),
  tps: orNull(ReportedTps),
  mspt: orNull(number),
  player_count: orNull(integer),
  entity_count: orNull(integer),
  loaded_chunks: orNull(integer),
  cpu_cores: orNull(integer),
  tile_entities: orNull(integer),
  ram_used_mb: orNull(number),
  ram_max_mb: orNull(integer),
  cpu_usage: orNull(percent),
  cpu_system: orNull(percent),
  worst_tick_ms: orNull(number),
  mspt_p95: orNull(number),
  ticks_over_50ms: orNull(integer),
  lag_seconds: orNull(number),
  heap_after_gc_mb: orNull(integer),
  rss_mb: orNull(integer),
  container_limit_mb: orNull(integer),
  ping_ms: orNull(number),
  gc_stw_ms: orNull(number),
  paused_empty: orNull(z.boolean()),
  worlds_top: orNull(z.array(ReportedWorld).max(3)),
  region_count: orNull(integer),
  tps_region_avg: orNull(ReportedTps),
  mspt_region_avg: orNull(number),
  region_source: orNull(z.enum(["folia_regions", "player_sections"])),
  regions_omitted: orNull(integer),
  regions: orNull(z.array(ReportedRegion).max(64)),
});
export type ReportedSample = z.infer<typeof ReportedSample>;

/** Samples as they are sent together. */
export const SampleBatch = z.object({ samples: z.array(ReportedSample).max(1000) });

/** The measurement without its times, pauses settled: what is stored and shown. */
export function sampleOf(reported: ReportedSample): Sample {
  const { sampled_at: _sampledAt, paused_since: _pausedSince, ...sample } = reported;
  return settlePause(sample);
}
