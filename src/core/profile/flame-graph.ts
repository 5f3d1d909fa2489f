import { z } from "zod";
import { callTree, sampledBelow, type CallTree } from "./call-tree.ts";
import type { ProfileDocument } from "./document.ts";
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

type Drawn = FlameGraph["frames"][number];

/** What is not drawn below each frame; the last place is that of frames nobody called. */
interface Merged {
  readonly frames: Float64Array;
  readonly samples: Float64Array;
}

/** Draws a profile's tree, whatever its depth and size, in time linear in it but for the order of what is drawn. */
export function flameGraphOf(document: ProfileDocument): FlameGraph {
  const tree = callTree(document);
  const below = sampledBelow(tree);
  const drawn = heaviestStacks(tree, below);
  const merged = mergedBelow(tree, below, drawn);
  return {
    tick_samples: tree.ticks,
    drawn_samples: tree.held,
    frames: inDepth(tree, below, drawn, merged),
    merged_frames: merged.frames.reduce((sum, frames) => sum + frames, 0),
  };
}

/** The stacks to draw, heaviest first. A caller is never lighter than what it calls and comes before it. */
function heaviestStacks({ ticks }: CallTree, below: Float64Array): number[] {
  const stacks: number[] = [];
  below.forEach((samples, stack) => {
    if (samples > 0 && samples * 100 >= leastDrawnPct * ticks) stacks.push(stack);
  });
  stacks.sort((one, other) => (below[other] ?? 0) - (below[one] ?? 0) || one - other);
  return stacks.slice(0, flameFrames);
}

function mergedBelow({ parent }: CallTree, below: Float64Array, drawn: readonly number[]): Merged {
  const isDrawn = new Uint8Array(below.length);
  for (const stack of drawn) isDrawn[stack] = 1;
  const inside = new Float64Array(below.length);
  const frames = new Float64Array(below.length + 1);
  const samples = new Float64Array(below.length + 1);
  for (let stack = below.length - 1; stack >= 0; stack -= 1) {
    if (isDrawn[stack] === 1 || below[stack] === 0) continue;
    const caller = parent[stack] ?? -1;
    const count = 1 + (inside[stack] ?? 0);
    if (caller >= 0 && isDrawn[caller] !== 1) {
      inside[caller] = (inside[caller] ?? 0) + count;
      continue;
    }
    const place = caller < 0 ? below.length : caller;
    frames[place] = (frames[place] ?? 0) + count;
    samples[place] = (samples[place] ?? 0) + (below[stack] ?? 0);
  }
  return { frames, samples };
}

/** Every frame directly before what it calls; what is merged of it stands last. */
function inDepth(tree: CallTree, below: Float64Array, drawn: readonly number[], merged: Merged): Drawn[] {
  const called = new Map<number, number[]>();
  for (const stack of drawn) {
    const caller = tree.parent[stack] ?? -1;
    const siblings = called.get(caller);
    if (siblings) siblings.push(stack);
    else called.set(caller, [stack]);
  }
  const frames: Drawn[] = [];
  const roots = below.length;
  /** Stacks to come, the next one last; one that is to be merged as -1 - its caller. */
  const waiting: number[] = [];
  const push = (caller: number, place: number): void => {
    if ((merged.frames[place] ?? 0) > 0) waiting.push(-1 - place);
    waiting.push(...(called.get(caller) ?? []).toReversed());
  };
  push(-1, roots);
  for (let stack = waiting.pop(); stack !== undefined; stack = waiting.pop()) {
    if (stack < 0) {
      const place = -1 - stack;
      const depth = (place === roots ? 0 : (tree.depth[place] ?? 0)) + 1;
      frames.push(mergedFrame(tree, depth, merged.frames[place] ?? 0, merged.samples[place] ?? 0));
      continue;
    }
    frames.push(drawnFrame(tree, stack, below[stack] ?? 0));
    push(stack, stack);
  }
  return frames;
}

function drawnFrame(tree: CallTree, stack: number, total: number): Drawn {
  const { methods, owners, ticks } = tree;
  const method = methods[tree.method[stack] ?? -1];
  const owner = method && owners[method.owner];
  const self = tree.ends[stack] ?? 0;
  return {
    depth: tree.depth[stack] ?? 1,
    name: method?.name ?? null,
    owner: owner?.name ?? null,
    plugin: owner?.plugin ?? false,
    total_samples: total,
    self_samples: self,
    total_pct: pctOf(total, ticks),
    self_pct: pctOf(self, ticks),
    merged: 0,
  };
}

const mergedFrame = ({ ticks }: CallTree, depth: number, merged: number, samples: number): Drawn => ({
  depth,
  name: null,
  owner: null,
  plugin: false,
  total_samples: samples,
  self_samples: 0,
  total_pct: pctOf(samples, ticks),
  self_pct: 0,
  merged,
});
