import { z } from "zod";
import { codeLength, ownerLength } from "../profile/document.ts";
import { thirdPartyText } from "../text/third-party-text.ts";
import { gameObjectKinds, gcRootTypes } from "./document.ts";

const text = (max: number) => thirdPartyText(max).nullable();
const ClassName = thirdPartyText(codeLength);
const Owner = thirdPartyText(ownerLength);
const amount = () => z.int().nullable();
/** Percent of `denominator_bytes`, 0 to 100, two decimals; null without one. */
const pct = () => z.number().nullable();

const ClassAmount = z.object({ class_name: ClassName, bytes: z.int(), objects: z.int() });

const Suspect = z.object({
  key: thirdPartyText(codeLength),
  kind: z.enum(["single_object", "class_group"]),
  owner: Owner,
  class_name: ClassName,
  instances: z.int(),
  shallow_bytes: z.int(),
  retained_bytes: z.int(),
  pct: pct(),
  gc_root: z.object({ type: z.enum(gcRootTypes), description: text(200) }).nullable(),
  root_path: z.array(
    z.object({
      class_name: ClassName,
      field: text(200),
      array_index: amount(),
      owner: Owner,
      retained_bytes: amount(),
    }),
  ),
  root_path_omitted: z.int(),
  dominator_chain: z.array(
    z.object({
      class_name: ClassName,
      owner: Owner,
      shallow_bytes: z.int(),
      retained_bytes: z.int(),
      pct: pct(),
    }),
  ),
  accumulation_key: text(codeLength),
});

const AccumulationPoint = z.object({
  key: thirdPartyText(codeLength),
  class_name: ClassName,
  owner: Owner,
  holder_class: text(codeLength),
  holder_field: text(200),
  elements: amount(),
  element_class: text(codeLength),
  retained_bytes: z.int(),
  pct: pct(),
});

const GameObjects = z.object({
  owner: Owner,
  kind: z.enum(gameObjectKinds),
  class_name: text(codeLength),
  held: z.int(),
  /** The part of `held` that is of unloaded worlds, players who left, removed entities. */
  stale: z.int(),
  retained_bytes: amount(),
});

/** Suspects, accumulation points and game objects are null if the mode does not look for them. */
export const MemoryDiagnosis = z.object({
  kind: z.enum(["summary", "analysis"]),
  mode: z.string().nullable(),
  requested_mode: z.string().nullable(),
  measure: z.enum(["shallow", "retained"]),
  denominator_bytes: amount(),
  ran_quick_instead_of_full: z.boolean(),
  ran_quick_instead_of_retained: z.boolean(),
  fallback: z
    .object({
      reason: thirdPartyText(64),
      known: z.boolean(),
      full_heap_bytes: amount(),
      budget_bytes: amount(),
      disk_need_bytes: amount(),
      disk_free_bytes: amount(),
    })
    .nullable(),
  storage: text(64),
  totals: z.object({
    objects: amount(),
    classes: amount(),
    shallow_bytes: amount(),
    reachable_bytes: amount(),
    unreachable_bytes: amount(),
    heap_used_bytes: amount(),
    heap_max_bytes: amount(),
    gc_roots: amount(),
  }),
  owners: z.array(
    z.object({
      owner: Owner,
      plugin: z.boolean(),
      bytes: z.int(),
      pct: pct(),
      objects: z.int(),
      top_classes: z.array(ClassAmount),
    }),
  ),
  owners_truncated: z.boolean(),
  classes: z.array(
    z.object({ class_name: ClassName, owner: Owner, bytes: z.int(), objects: z.int(), pct: pct() }),
  ),
  classes_truncated: z.boolean(),
  suspects: z.array(Suspect).nullable(),
  suspects_truncated: z.boolean(),
  accumulation_points: z.array(AccumulationPoint).nullable(),
  game_objects: z.array(GameObjects).nullable(),
  jvm_dominates: z.boolean(),
});
export type MemoryDiagnosis = z.infer<typeof MemoryDiagnosis>;
