import { categoryOf } from "./categories.ts";
import { Category } from "./category.ts";
import type { ProfileDocument } from "./document.ts";
import { framesOf, type FrameMethod, type FrameOwner } from "./frames.ts";

/** Tick samples: `self` ended here, `total` have it on their stack, each stack counted once. */
interface Weights {
  readonly self: Float64Array;
  readonly total: Float64Array;
}

/**
 * Every stack once: node `n` is a stack, `parent[n]` that of its caller, always an earlier node (-1: none).
 * Weights are tick samples, by node, owner and method.
 */
export interface CallTree {
  readonly owners: readonly FrameOwner[];
  readonly methods: readonly FrameMethod[];
  readonly parent: Int32Array;
  readonly method: Int32Array;
  /** Frames of the stack, 1 for a root. */
  readonly depth: Int32Array;
  /** Samples whose stack is exactly this one. */
  readonly ends: Float64Array;
  readonly byOwner: Weights;
  readonly byMethod: Weights;
  /** Samples by kind of work; kinds without samples have no entry. */
  readonly categories: ReadonlyMap<Category, number>;
  /** Samples the tree holds. */
  readonly held: number;
  /** Samples that end where a stack was cut: their owner is unknown, so they count for `other`. */
  readonly cut: number;
  /** The samples that shares refer to: the sender's count, or `held` if it is larger or no count was sent. */
  readonly ticks: number;
}

type Calls = Pick<CallTree, "parent" | "method" | "depth" | "ends">;

const none = -1;
const kinds = Category.options;

const at = (list: Int32Array | Float64Array, index: number): number => list[index] ?? 0;

/** Time is linear in nodes and frames. Equal stacks are joined; nodes without samples count for nothing. */
export function callTree(document: ProfileDocument): CallTree {
  const { owners, methods, methodOf } = framesOf(document);
  const calls = joined(document.nodes, methodOf, methods.length);
  const ownerOf = Int32Array.from(methods, ({ owner }) => owner);
  const ownerAt = calls.method.map((method) => at(ownerOf, method));
  const sampled = sampledBelow(calls);
  const links = linked(calls.parent);
  const held = calls.ends.reduce((sum, ends) => sum + ends, 0);
  let cut = 0;
  calls.ends.forEach((ends, node) => {
    if (methods[at(calls.method, node)]?.name === null) cut += ends;
  });
  return {
    owners,
    methods,
    ...calls,
    byOwner: weighed(calls, ownerAt, sampled, links, owners.length),
    byMethod: weighed(calls, calls.method, sampled, links, methods.length),
    categories: kindsOfWork(calls, methods, owners),
    held,
    cut,
    ticks: Math.max(held, document.samples.tick ?? 0),
  };
}

/** Joins nodes with equal methods from the root on, level by level; `nextAlike` chains a stack's nodes. */
function joined(nodes: ProfileDocument["nodes"], methodOf: Int32Array, methods: number): Calls {
  const links = linked(Int32Array.from(nodes, ({ parent }) => parent));
  const parent = new Int32Array(nodes.length);
  const method = new Int32Array(nodes.length);
  const depth = new Int32Array(nodes.length);
  const ends = new Float64Array(nodes.length);
  const firstAlike = new Int32Array(nodes.length).fill(none);
  const nextAlike = new Int32Array(nodes.length);
  const calledBy = new Int32Array(methods).fill(none - 1);
  const stackOf = new Int32Array(methods);
  let stacks = 0;
  const add = (caller: number, first: number): void => {
    for (let node = first; node !== none; node = at(links.next, node)) {
      const samples = nodes[node]?.samples ?? 0;
      const called = at(methodOf, node);
      if (at(calledBy, called) !== caller) {
        calledBy[called] = caller;
        stackOf[called] = stacks;
        parent[stacks] = caller;
        method[stacks] = called;
        depth[stacks] = caller === none ? 1 : at(depth, caller) + 1;
        stacks += 1;
      }
      const stack = at(stackOf, called);
      ends[stack] = at(ends, stack) + samples;
      nextAlike[node] = at(firstAlike, stack);
      firstAlike[stack] = node;
    }
  };
  add(none, links.firstRoot);
  for (let stack = 0; stack < stacks; stack += 1) {
    for (let node = at(firstAlike, stack); node !== none; node = at(nextAlike, node)) {
      add(stack, at(links.firstCalled, node));
    }
  }
  return {
    parent: parent.slice(0, stacks),
    method: method.slice(0, stacks),
    depth: depth.slice(0, stacks),
    ends: ends.slice(0, stacks),
  };
}

/** The samples at or below each node. */
export function sampledBelow({ parent, ends }: Pick<Calls, "parent" | "ends">): Float64Array {
  const below = ends.slice();
  for (let node = below.length - 1; node >= 0; node -= 1) {
    const caller = at(parent, node);
    if (caller !== none) below[caller] = at(below, caller) + at(below, node);
  }
  return below;
}

interface Links {
  readonly firstRoot: number;
  readonly firstCalled: Int32Array;
  readonly next: Int32Array;
}

/** Each node's first callee, and the next callee of the same caller. */
function linked(parent: Int32Array): Links {
  const firstCalled = new Int32Array(parent.length).fill(none);
  const next = new Int32Array(parent.length).fill(none);
  let firstRoot = none;
  for (let node = parent.length - 1; node >= 0; node -= 1) {
    const caller = at(parent, node);
    next[node] = caller === none ? firstRoot : at(firstCalled, caller);
    if (caller === none) firstRoot = node;
    else firstCalled[caller] = node;
  }
  return { firstRoot, firstCalled, next };
}

/** Samples by group (`groupAt`: by node). Only a group's outermost frame on a stack adds to its total. */
function weighed(
  { parent, ends }: Calls,
  groupAt: Int32Array,
  sampled: Float64Array,
  { firstRoot, firstCalled, next }: Links,
  groups: number,
): Weights {
  const self = new Float64Array(groups);
  const total = new Float64Array(groups);
  const onStack = new Int32Array(groups);
  let node = firstRoot;
  while (node !== none) {
    const group = at(groupAt, node);
    self[group] = at(self, group) + at(ends, node);
    if (at(onStack, group) === 0) total[group] = at(total, group) + at(sampled, node);
    onStack[group] = at(onStack, group) + 1;
    let following = at(firstCalled, node);
    while (following === none && node !== none) {
      const left = at(groupAt, node);
      onStack[left] = at(onStack, left) - 1;
      following = at(next, node);
      node = at(parent, node);
    }
    node = following;
  }
  return { self, total };
}

/**
 * A sample's kind is that of the nearest frame, from the last one outwards, whose class is known or that is a
 * plugin's (`plugin`); else `other`. Machine code has the kind of its caller. Without the plugins their work would count as the tick's, since the game
 * calls them.
 */
function kindsOfWork(
  { parent, method, ends }: Calls,
  methods: readonly FrameMethod[],
  owners: readonly FrameOwner[],
): Map<Category, number> {
  const distinct = Int32Array.from(methods, ({ name, owner, machineCode }) => {
    if (machineCode) return none;
    const ofPlugin = owners[owner]?.plugin === true ? "plugin" : null;
    const category = (name === null ? null : categoryOf(name)) ?? ofPlugin;
    return category === null ? none : kinds.indexOf(category);
  });
  const kindAt = new Int32Array(parent.length);
  const samples = new Map<Category, number>();
  for (let node = 0; node < parent.length; node += 1) {
    const own = at(distinct, at(method, node));
    const caller = at(parent, node);
    const kind = own !== none || caller === none ? own : at(kindAt, caller);
    kindAt[node] = kind;
    const count = at(ends, node);
    if (count === 0) continue;
    const category = kinds[kind] ?? "other";
    samples.set(category, (samples.get(category) ?? 0) + count);
  }
  return samples;
}
