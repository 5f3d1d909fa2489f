import { z } from "zod";
import { codeLength, ownerLength } from "../profile/document.ts";
import { nullableInt, nullableText, optionalBlock } from "../report/payload-fields.ts";
import { orNull } from "../reported.ts";
import { plainText, thirdPartyText } from "../text/third-party-text.ts";
import { IsoInstant } from "../timestamp.ts";

/** Bytes and counts of objects: far above any heap, and their sums stay exact integers (`plus`). */
const most = 1_000_000_000_000_000;
const amount = () => z.int().min(0).max(most);
const known = () => nullableInt(0, most);

const className = () => thirdPartyText(codeLength);
/** Null: the owner is derived from the class name. */
const owner = () => orNull(thirdPartyText(ownerLength));
const isPlugin = () =>
  z
    .boolean()
    .nullish()
    .transform((plugin) => plugin ?? false);

/** A list of this length counts as cut. */
export const maxClasses = 100_000;
export const maxOwners = 5000;
export const maxSuspects = 200;
export const maxAccumulationPoints = 500;
export const maxGameObjects = 5000;

const head = {
  local_id: plainText(120, 1),
  created_at: orNull(IsoInstant),
  plugin_version: orNull(plainText(64, 1)),
  platform: optionalBlock({
    server_type: nullableText(64),
    server_version: nullableText(120),
    java_version: nullableText(120),
    service_version: nullableText(64),
    plugins: z.array(thirdPartyText(120)).max(2000).nullable().default(null),
  }),
};

/** The number of objects of each class, and their shallow bytes. */
export const HeapSummary = z.object({
  schema: z.literal("service-heap-summary/1"),
  ...head,
  /** `live`: after a full collection; `all`: garbage counted. */
  mode: z.enum(["live", "all"]).nullable().default(null),
  heap_used_bytes: known(),
  heap_max_bytes: known(),
  /** False if classes are missing; null: complete if the summary reports its heap. */
  classes_complete: z.boolean().nullable().default(null),
  classes: z
    .array(
      z.object({
        class_name: className(),
        owner: owner(),
        plugin: isPlugin(),
        objects: amount(),
        bytes: amount(),
      }),
    )
    .max(maxClasses),
});
export type HeapSummary = z.output<typeof HeapSummary>;

export const gcRootTypes = [
  "thread_object",
  "java_local",
  "jni_global",
  "jni_local",
  "system_class",
  "busy_monitor",
  "finalizable",
  "native_stack",
  "unknown",
] as const;
export const gameObjectKinds = [
  "world",
  "chunk",
  "entity",
  "player",
  "item_stack",
  "block_entity",
  "inventory",
  "nbt",
] as const;

const Suspect = z.object({
  key: thirdPartyText(codeLength),
  kind: z.enum(["single_object", "class_group"]),
  owner: owner(),
  class_name: className(),
  instances: amount(),
  shallow_bytes: amount(),
  retained_bytes: amount(),
  gc_root: orNull(z.object({ type: z.enum(gcRootTypes), description: nullableText(200) })),
  root_path: z
    .array(
      z.object({
        class_name: className(),
        field: nullableText(200),
        array_index: nullableInt(0, most),
        owner: owner(),
        retained_bytes: known(),
      }),
    )
    .max(10_000)
    .default([]),
  dominator_chain: z
    .array(
      z.object({
        class_name: className(),
        owner: owner(),
        shallow_bytes: amount(),
        retained_bytes: amount(),
      }),
    )
    .max(1000)
    .default([]),
  accumulation_key: nullableText(codeLength),
});

const AccumulationPoint = z.object({
  key: thirdPartyText(codeLength),
  class_name: className(),
  owner: owner(),
  holder_class: nullableText(codeLength),
  holder_field: nullableText(200),
  elements: known(),
  element_class: nullableText(codeLength),
  retained_bytes: amount(),
});

const GameObjects = z
  .object({
    owner: owner(),
    kind: z.enum(gameObjectKinds),
    class_name: nullableText(codeLength),
    held: amount(),
    /** The part of `held` that is of unloaded worlds, players who left, removed entities. */
    stale: amount(),
    retained_bytes: known(),
  })
  .refine(({ held, stale }) => stale <= held, { path: ["stale"], error: "takes no more than held." });

/** Shares and truncation are computed by the service, never taken from the upload. */
export const HeapAnalysis = z.object({
  schema: z.literal("service-heap-analysis/1"),
  ...head,
  /** The mode that ran; `retained` is a targeted analysis of one plugin. */
  mode: z.enum(["quick", "full", "retained"]),
  requested_mode: z.enum(["quick", "full", "auto", "retained"]).nullable().default(null),
  targeted_owner: nullableText(ownerLength),
  /** Names the heap dump, to detect two analyses of one dump. */
  dump_id: nullableText(120),
  fallback: orNull(
    z.object({
      reason: thirdPartyText(64),
      full_heap_bytes: known(),
      budget_bytes: known(),
      disk_need_bytes: known(),
      disk_free_bytes: known(),
    }),
  ),
  storage: nullableText(64),
  totals: optionalBlock({
    objects: known(),
    classes: known(),
    shallow_bytes: known(),
    reachable_bytes: known(),
    unreachable_bytes: known(),
    heap_used_bytes: known(),
    heap_max_bytes: known(),
    gc_roots: known(),
  }),
  owners: z
    .array(
      z.object({
        owner: thirdPartyText(ownerLength),
        plugin: isPlugin(),
        bytes: amount(),
        objects: amount(),
        top_classes: z
          .array(z.object({ class_name: className(), bytes: amount(), objects: amount() }))
          .max(100)
          .default([]),
      }),
    )
    .max(maxOwners)
    .default([]),
  /** False if the sender left owners out; null if it does not say. */
  owners_complete: z.boolean().nullable().default(null),
  classes: z
    .array(z.object({ class_name: className(), owner: owner(), objects: amount(), bytes: amount() }))
    .max(maxClasses)
    .default([]),
  suspects: z.array(Suspect).max(maxSuspects).nullable().default(null),
  accumulation_points: z.array(AccumulationPoint).max(maxAccumulationPoints).nullable().default(null),
  game_objects: z.array(GameObjects).max(maxGameObjects).nullable().default(null),
});
export type HeapAnalysis = z.output<typeof HeapAnalysis>;

export const MemoryDocument = z.discriminatedUnion("schema", [HeapSummary, HeapAnalysis]);
export type MemoryDocument = z.output<typeof MemoryDocument>;
