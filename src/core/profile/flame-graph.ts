import { z } from "zod";
import { callTree, sampledBelow, type CallTree } from "./call-tree.ts";
import type { ProfileDocument } from "./document.ts";
import { drawnStacks, heaviestStacks, type DrawnStack } from "./drawn-stacks.ts";
import { pctOf } from "./percent.ts";
import { Method, Owner } from "./profile.ts";

/** So many frames are drawn: more than a screen has room for, few enough for a phone. */
export const flameFrames = 1200;

/** Frames with a smaller share of all ticks, percent, are merged: they would be narrower than a line. */
export const leastDrawnPct = 0.1;

/**
 * The calls of a profile as a picture of widths: every frame after the one that called it, the heaviest first, each
 * with its share of all tick samples. What is too small or too much to draw is merged into one frame behind its
 * siblings, `merged` telling of how many; a `name` that is null stands for stacks that were cut.
 */
export const FlameGraph = z.object({
  /** What shares are of. */
  tick_samples: z.int(),
  /** Tick samples that the drawing holds. */
  drawn_samples: z.int(),
  frames: z.array(
    z.object({
      /** 1 for what nobody called. */
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

/** Draws a profile's tree, whatever its depth and size, in time linear in it but for the order of what is drawn. */
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
