import type { CallTree } from "./call-tree.ts";

export interface DrawLimits {
  readonly stacks: number;
  /** The smallest share of all tick samples, percent. */
  readonly leastPct: number;
}

/** One frame of a drawing: a stack, or several stacks that are merged into one frame. */
export interface DrawnStack {
  /** The index of the stack in its tree; -1 for merged ones. */
  readonly stack: number;
  /** 1 for a root. */
  readonly depth: number;
  /** Samples whose stack begins with this one, or the samples of the merged ones. */
  readonly samples: number;
  /** The number of merged frames; 0 for a stack. */
  readonly merged: number;
}

/** Heaviest first. A caller is never lighter than its callees, so it comes before them. */
export function heaviestStacks(
  { ticks }: CallTree,
  below: Float64Array,
  { stacks: most, leastPct }: DrawLimits,
): number[] {
  const stacks: number[] = [];
  below.forEach((samples, stack) => {
    if (samples > 0 && samples * 100 >= leastPct * ticks) stacks.push(stack);
  });
  stacks.sort((one, other) => (below[other] ?? 0) - (below[one] ?? 0) || one - other);
  return stacks.slice(0, most);
}

/** Frames and samples merged below each stack; the last entry is for roots. */
interface Merged {
  readonly frames: Float64Array;
  readonly samples: Float64Array;
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

/**
 * Each frame directly before its callees, the heaviest first; stacks that are not in `drawn` are merged into
 * one frame behind their siblings. `below` is of `sampledBelow`, `drawn` of `heaviestStacks`.
 */
export function drawnStacks(tree: CallTree, below: Float64Array, drawn: readonly number[]): DrawnStack[] {
  const merged = mergedBelow(tree, below, drawn);
  const called = new Map<number, number[]>();
  for (const stack of drawn) {
    const caller = tree.parent[stack] ?? -1;
    const siblings = called.get(caller);
    if (siblings) siblings.push(stack);
    else called.set(caller, [stack]);
  }
  const frames: DrawnStack[] = [];
  const roots = below.length;
  /** The stacks still to come, the next one last; -1 - i stands for the frames merged below stack i. */
  const waiting: number[] = [];
  const push = (caller: number, place: number): void => {
    if ((merged.frames[place] ?? 0) > 0) waiting.push(-1 - place);
    for (const stack of (called.get(caller) ?? []).toReversed()) waiting.push(stack);
  };
  push(-1, roots);
  for (let stack = waiting.pop(); stack !== undefined; stack = waiting.pop()) {
    if (stack >= 0) {
      frames.push({ stack, depth: tree.depth[stack] ?? 1, samples: below[stack] ?? 0, merged: 0 });
      push(stack, stack);
      continue;
    }
    const place = -1 - stack;
    frames.push({
      stack: -1,
      depth: (place === roots ? 0 : (tree.depth[place] ?? 0)) + 1,
      samples: merged.samples[place] ?? 0,
      merged: merged.frames[place] ?? 0,
    });
  }
  return frames;
}
