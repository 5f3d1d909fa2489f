import { z } from "zod";
import { orNull } from "../reported.ts";
import { diskFields } from "./disk-fields.ts";
import { detail, field } from "./field.ts";
import { Region, ReportedRegion, ReportedWorld, World } from "./worlds.ts";

const RegionSource = z.enum(["folia_regions", "player_sections"]);

/** In the order of the documentation. For a new field follow the recipe in CONTRIBUTING.md. */
export const sampleFields = {
  tps: field("tick_rate", {
    id: 0,
    unit: "",
    of: "ticks",
    compare: "more",
    nominal: 20,
    name: "TPS",
    example: 19.98,
  }),
  mspt: field("measure", {
    id: 1,
    unit: "ms",
    of: "ticks",
    compare: "less",
    nominal: 50,
    name: "MSPT",
    example: 21.4,
  }),
  player_count: field("count", {
    id: 2,
    unit: "",
    of: "players",
    compare: "unadjusted",
    name: "Players",
    example: 12,
  }),
  entity_count: field("count", {
    id: 3,
    unit: "",
    of: "worlds",
    compare: "plain",
    name: "Entities",
    example: 1840,
  }),
  loaded_chunks: field("count", {
    id: 4,
    unit: "",
    of: "worlds",
    compare: "plain",
    name: "Loaded chunks",
    example: 2209,
  }),
  cpu_cores: field("count", {
    id: 5,
    unit: "",
    of: "machine",
    compare: "unadjusted",
    name: "CPU cores",
    example: 4,
  }),
  tile_entities: field("count", {
    id: 6,
    unit: "",
    of: "worlds",
    compare: "plain",
    name: "Tile entities",
    example: 5120,
  }),
  // The heap in use includes garbage until the next collection: a change shows in heap_after_gc_mb.
  ram_used_mb: field("measure", {
    id: 7,
    unit: "MB",
    of: "process",
    compare: "plain",
    name: "Memory in use",
    example: 3120.5,
  }),
  ram_max_mb: field("count", {
    id: 8,
    unit: "MB",
    of: "process",
    compare: "unadjusted",
    name: "Largest heap",
    example: 6144,
  }),
  cpu_usage: field("percent", {
    id: 9,
    unit: "%",
    of: "process",
    compare: "less",
    name: "CPU of the server",
    example: 34.2,
  }),
  cpu_system: field("percent", {
    id: 10,
    unit: "%",
    of: "machine",
    compare: "less",
    name: "CPU of the machine",
    example: 41,
  }),
  worst_tick_ms: field("measure", {
    id: 11,
    unit: "ms",
    of: "ticks",
    reduce: "max",
    shows: "max",
    compare: "less",
    nominal: 50,
    name: "Longest tick",
    example: 88.1,
  }),
  mspt_p95: field("measure", {
    id: 12,
    unit: "ms",
    of: "ticks",
    shows: "max",
    compare: "less",
    nominal: 50,
    name: "MSPT p95",
    example: 31.7,
  }),
  ticks_over_50ms: field("count", {
    id: 13,
    unit: "",
    of: "ticks",
    reduce: "sum",
    shows: "sum",
    compare: "less",
    name: "Ticks over 50 ms",
    example: 3,
  }),
  lag_seconds: field("measure", {
    id: 14,
    unit: "s",
    of: "ticks",
    reduce: "sum",
    shows: "sum",
    compare: "less",
    name: "Time behind",
    example: 0.1,
  }),
  heap_after_gc_mb: field("count", {
    id: 15,
    unit: "MB",
    of: "process",
    compare: "less",
    name: "Heap after a garbage collection",
    example: 1890,
  }),
  rss_mb: field("count", {
    id: 16,
    unit: "MB",
    of: "process",
    compare: "less",
    name: "Memory of the process",
    example: 7210,
  }),
  container_limit_mb: field("count", {
    id: 17,
    unit: "MB",
    of: "machine",
    compare: "unadjusted",
    name: "Memory limit of the container",
    example: 8192,
  }),
  ping_ms: field("measure", {
    id: 18,
    unit: "ms",
    of: "players",
    compare: "less",
    name: "Ping",
    example: 43.5,
  }),
  gc_stw_ms: field("measure", {
    id: 19,
    unit: "ms",
    of: "process",
    reduce: "sum",
    shows: "sum",
    compare: "less",
    name: "Pause time of garbage collection",
    example: 12.2,
  }),
  paused_empty: detail(z.boolean().nullable(), orNull(z.boolean())),
  worlds_top: detail(z.array(World).nullable(), orNull(z.array(ReportedWorld).max(3))),
  region_count: field("count", {
    id: 20,
    unit: "",
    of: "regions",
    compare: "plain",
    name: "Regions",
    example: null,
  }),
  tps_region_avg: field("tick_rate", {
    id: 21,
    unit: "",
    of: "regions",
    compare: "more",
    nominal: 20,
    name: "TPS, mean of regions",
    example: null,
  }),
  mspt_region_avg: field("measure", {
    id: 22,
    unit: "ms",
    of: "regions",
    compare: "less",
    nominal: 50,
    name: "MSPT, mean of regions",
    example: null,
  }),
  region_source: detail(RegionSource.nullable(), orNull(RegionSource)),
  regions_omitted: field("count", {
    id: 23,
    unit: "",
    of: "regions",
    compare: "plain",
    name: "Regions left out",
    example: null,
  }),
  container_used_mb: field("count", {
    id: 24,
    unit: "MB",
    of: "machine",
    compare: "less",
    name: "Memory used of the container",
    example: 7340,
    migration: 4,
  }),
  ...diskFields,
  target_tps: field("tick_rate", {
    id: 30,
    unit: "",
    of: "ticks",
    compare: "unadjusted",
    name: "TPS that the server is set to",
    example: 20,
    migration: 6,
  }),
  regions: detail(z.array(Region).nullable(), orNull(z.array(ReportedRegion).max(64))),
} as const;

type SampleFields = typeof sampleFields;
export type SampleField = keyof SampleFields;

/** The numeric fields: each can be drawn as a series and has a column in the store. */
export type SeriesField = {
  [Field in SampleField]: SampleFields[Field]["measured"] extends true ? Field : never;
}[SampleField];

const isMeasured = (field: SampleField): field is SeriesField => sampleFields[field].measured;

export const seriesFields: readonly SeriesField[] = Object.keys(sampleFields)
  .map((field) => field as SampleField)
  .filter(isMeasured);

/** `shown`: in answers; `sent`: what plugins send. */
export const schemasOf = <Part extends "shown" | "sent">(
  part: Part,
): { readonly [Field in SampleField]: SampleFields[Field][Part] } =>
  // Safe: every field has both schemas, but Object.entries loses their types.
  Object.fromEntries(Object.entries(sampleFields).map(([name, field]) => [name, field[part]])) as {
    readonly [Field in SampleField]: SampleFields[Field][Part];
  };
