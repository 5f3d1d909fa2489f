import { z } from "zod";
import { addition } from "../addition.ts";
import { Id } from "../id.ts";
import { thirdPartyObject } from "../text/third-party-json.ts";
import { thirdPartyText } from "../text/third-party-text.ts";
import { Timestamp } from "../timestamp.ts";
import { MeasuredMeanwhile } from "./measured.ts";
import { Method, Owner, OwnersByTotal, count, version, word } from "./profile.ts";

const number = () => z.number().nullable();

export const detailOwners = 30;
export const detailMethods = 30;
export const detailPaths = 10;
/** A deeper path shows its first and last frames. */
export const pathFrames = 30;
export const firstFrames = 8;

const Frame = z.object({ frame: Method.nullable(), owner: Owner.nullable() });

/**
 * Root first. `ends_pct` is the share of exactly this stack; `self_pct` and `total_pct` are those of the
 * method it ends in (ends ≤ self ≤ total) or, where stacks were cut, of all cut stacks. Depths count from 1,
 * the root: `owner_entry_depth` is the requested owner's first frame, omitted frames included.
 */
const Path = z.object({
  ends_pct: z.number(),
  self_pct: z.number(),
  total_pct: z.number(),
  depth: z.int(),
  frames: z.array(Frame),
  omitted_frames: z.int(),
  owner_entry_depth: z.int().nullable(),
});

/** Shares are percent of tick samples; `lag.longest_tick_ms` is the only duration of work. */
export const DetailBody = z.object({
  schema: z.literal("service-profile/1"),
  engine: word().nullable(),
  trigger: word().nullable(),
  created_at: Timestamp.nullable(),
  capture: z.object({
    window_start: Timestamp.nullable(),
    window_end: Timestamp.nullable(),
    window_seconds: number(),
    requested_seconds: number(),
    stack_depth: number(),
  }),
  lag: z
    .object({
      kind: word().nullable(),
      started_at: Timestamp.nullable(),
      detected_at: Timestamp.nullable(),
      slow_ticks: number(),
      longest_tick_ms: number(),
    })
    .nullable(),
  platform: z.object({
    server_type: word().nullable(),
    server_version: version().nullable(),
    bukkit_version: version().nullable(),
    plugin_count: number(),
    service_version: word().nullable(),
  }),
  jvm: z.object({
    java_version: version().nullable(),
    java_vendor: version().nullable(),
    vm_name: version().nullable(),
    available_processors: number(),
  }),
  samples: z.object({
    tick: number(),
    total: number(),
    truncated_tick: number(),
    capped_tick: number(),
    distinct_stacks: number(),
  }),
  warnings: z.array(z.object({ code: word(), params: thirdPartyObject({ maxBytes: 2048, maxDepth: 4 }) })),
  measured: addition(MeasuredMeanwhile.nullable()),
  owners_by_total: addition(OwnersByTotal),
  owners: z.array(
    z.object({
      owner: Owner,
      plugin: z.boolean(),
      self_pct: z.number(),
      total_pct: z.number(),
      top_methods: z.array(z.object({ method: Method, pct: z.number() })),
    }),
  ),
  owners_truncated: z.boolean(),
  owner_filter: z.object({ requested: thirdPartyText(200), matched: Owner.nullable() }).nullable(),
  methods: z.array(
    z.object({
      method: Method,
      owner: Owner.nullable(),
      self_pct: number(),
      total_pct: number(),
      exact: z.boolean(),
    }),
  ),
  methods_truncated: z.boolean(),
  paths: z.array(Path),
  paths_truncated: z.boolean(),
  tree_truncated: z.boolean(),
});
export type DetailBody = z.infer<typeof DetailBody>;

/** `detail` is null when the stored document cannot be read. */
export const ProfileDetail = z.object({
  id: Id,
  server_id: Id,
  local_id: thirdPartyText(120),
  plugin_version: word().nullable(),
  trigger: word().nullable(),
  server_type: word().nullable(),
  server_version: version().nullable(),
  java_version: version().nullable(),
  captured_at: Timestamp.nullable(),
  uploaded_at: Timestamp.nullable(),
  window_seconds: number(),
  tick_samples: count(),
  total_samples: count(),
  url: z.string().nullable(),
  detail: DetailBody.nullable(),
});
export type ProfileDetail = z.infer<typeof ProfileDetail>;
