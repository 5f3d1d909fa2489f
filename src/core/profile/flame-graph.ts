import { z } from "zod";
import { callTree, sampledBelow, type CallTree } from "./call-tree.ts";
import type { ProfileDocument } from "./document.ts";
import { drawnStacks, heaviestStacks, type DrawnStack } from "./drawn-stacks.ts";
import { pctOf } from "./percent.ts";
import { Method, Owner } from "./profile.ts";

/** More frames than a screen has room for, few enough for a phone. */
export const flameFrames = 1200;

/** Frames with a smaller share of all ticks, percent, are merged: they would be narrower than a line. */
export const leastDrawnPct = 0.1;

/**
 * Each frame comes after its caller, the heaviest first. Frames too small or too many to draw are merged into
 * one behind their siblings, `merged` of them. `name` is null for merged frames and where stacks were cut.
 */
export const FlameGraph = z.object({
  /** The samples that shares refer to. */
  tick_samples: z.int(),
  /** Tick samples that the drawing holds. */
  drawn_samples: z.int(),
  frames: z.array(
    z.object({
      /** 1 for a root. */
      depth: z.int(),
      name: Method.nullable(),
      owner: Owner.nullable(),
      plugin: z.boolean(),
      total_samples: z.int(),
      self_samples: z.int(),
      total_pct: z.number(),
      self_pct: z.number(),
      merged: z.int(),
    }),
  ),
  merged_frames: z.int(),
});
export type FlameGraph = z.infer<typeof FlameGraph>;

/** Takes time linear in the tree, except for the order of the frames that are drawn. */
export function flameGraphOf(document: ProfileDocument): FlameGraph {
  const tree = callTree(document);
  const below = sampledBelow(tree);
  const drawn = heaviestStacks(tree, below, { stacks: flameFrames, leastPct: leastDrawnPct });
  const stacks = drawnStacks(tree, below, drawn);
  return {
    tick_samples: tree.ticks,
    drawn_samples: tree.held,
    frames: stacks.map((stack) => frameOf(tree, stack)),
    merged_frames: stacks.reduce((sum, { merged }) => sum + merged, 0),
  };
}

function frameOf(
  { method: methodAt, methods, owners, ends, ticks }: CallTree,
  { stack, depth, samples, merged }: DrawnStack,
): FlameGraph["frames"][number] {
  const method = methods[methodAt[stack] ?? -1];
  const owner = method && owners[method.owner];
  const self = ends[stack] ?? 0;
  return {
    depth,
    name: method?.name ?? null,
    owner: owner?.name ?? null,
    plugin: owner?.plugin ?? false,
    total_samples: samples,
    self_samples: self,
    total_pct: pctOf(samples, ticks),
    self_pct: pctOf(self, ticks),
    merged,
  };
}
