import { rootMethod, at, childrenOf, ordered, type FrameTree, type GrownNode } from "./frame-tree.ts";

/** Nodes of a grown tree. Beyond this the lightest nodes get no children. */
export const mostGrown = 100_000;

/** Visited entries. A deep recursion would need its depth squared. */
const mostWork = 5_000_000;

/** A node of the calls that a grown node stands for, with its samples. */
interface Entry {
  readonly at: number;
  readonly samples: number;
}

type Step = (entry: Entry) => readonly Entry[];

interface Growing extends GrownNode {
  entries: readonly Entry[];
}

/** Methods by their own samples; below each method its callers, with the samples that they bring. */
export function inverted(tree: FrameTree, most = mostGrown): FrameTree {
  const ended: Entry[] = [];
  for (let node = 1; node < tree.size; node += 1)
    if (at(tree.self, node) > 0) ended.push({ at: node, samples: at(tree.self, node) });
  const root = {
    parent: -1,
    method: rootMethod,
    total: at(tree.total, 0),
    self: 0,
    isCaller: false,
    entries: [],
  };
  const nodes: Growing[] = [root];
  for (const { method, total, entries } of groupedByMethod(tree, ended))
    nodes.push({ parent: 0, method, total, self: total, isCaller: false, entries });
  const step = (entry: Entry) => callerOf(tree, entry);
  grow(tree, nodes, { first: 1, step, isCaller: false, hasSelf: false, most });
  return ordered(nodes);
}

/** All stacks of one method, each counted once. In a recursion the outermost call counts. */
export function sandwich(tree: FrameTree, method: number, most = mostGrown): FrameTree {
  const entries = outermost(tree, (node) => at(tree.method, node) === method).map((node) => ({
    at: node,
    samples: at(tree.total, node),
  }));
  const total = entries.reduce((sum, { samples }) => sum + samples, 0);
  const ofMethod = entries.reduce((sum, entry) => sum + at(tree.self, entry.at), 0);
  const nodes: Growing[] = [{ parent: -1, method, total, self: ofMethod, isCaller: false, entries: [] }];
  for (const [isCaller, step] of [
    [false, (entry: Entry) => calleesOf(tree, entry)],
    [true, (entry: Entry) => callerOf(tree, entry)],
  ] as const) {
    const first = nodes.length;
    for (const group of groupedByMethod(tree, entries.flatMap(step)))
      nodes.push({ parent: 0, ...group, self: isCaller ? 0 : selfOf(tree, group.entries), isCaller });
    grow(tree, nodes, { first, step, isCaller, hasSelf: !isCaller, most: first + most / 2 });
  }
  return ordered(nodes);
}

/** Nodes that fit and have no ancestor that fits. */
export function outermost(tree: FrameTree, fits: (node: number) => boolean): number[] {
  const found: number[] = [];
  for (let node = 0; node < tree.size; node += 1) {
    if (!fits(node)) continue;
    found.push(node);
    node = at(tree.last, node);
  }
  return found;
}

function callerOf(tree: FrameTree, { at: node, samples }: Entry): Entry[] {
  const caller = at(tree.parent, node);
  return caller > 0 ? [{ at: caller, samples }] : [];
}

const calleesOf = (tree: FrameTree, { at: node }: Entry): Entry[] =>
  childrenOf(tree, node).map((callee) => ({ at: callee, samples: at(tree.total, callee) }));

const selfOf = (tree: FrameTree, entries: readonly Entry[]): number =>
  entries.reduce((sum, entry) => sum + at(tree.self, entry.at), 0);

function groupedByMethod(tree: FrameTree, entries: readonly Entry[]) {
  const groups = new Map<number, { method: number; total: number; entries: Entry[] }>();
  for (const entry of entries) {
    const method = at(tree.method, entry.at);
    const group = groups.get(method) ?? { method, total: 0, entries: [] };
    group.total += entry.samples;
    group.entries.push(entry);
    groups.set(method, group);
  }
  return groups.values();
}

interface Growth {
  readonly first: number;
  readonly step: Step;
  /** The added nodes are callers of the root. */
  readonly isCaller: boolean;
  /** Samples that ended in an added node count for it. */
  readonly hasSelf: boolean;
  readonly most: number;
}

/** Adds children to the heaviest node first, until there are `most` nodes or too much work is done. */
function grow(tree: FrameTree, nodes: Growing[], { first, step, isCaller, hasSelf, most }: Growth): void {
  const heap = new Heap((node) => nodes[node]?.total ?? 0);
  for (let node = first; node < nodes.length; node += 1) heap.push(node);
  let work = 0;
  for (let node = heap.pop(); node !== undefined && nodes.length < most; node = heap.pop()) {
    const grown = nodes[node];
    if (!grown || work > mostWork) return;
    work += grown.entries.length;
    for (const group of groupedByMethod(tree, grown.entries.flatMap(step))) {
      const self = hasSelf ? selfOf(tree, group.entries) : 0;
      heap.push(nodes.push({ parent: node, ...group, self, isCaller }) - 1);
    }
    grown.entries = [];
  }
}

/** Pops the heaviest node first. */
class Heap {
  readonly #nodes: number[] = [];
  readonly #weight: (node: number) => number;

  constructor(weight: (node: number) => number) {
    this.#weight = weight;
  }

  push(node: number): void {
    const nodes = this.#nodes;
    let place = nodes.push(node) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (!this.#isHeavier(place, above)) return;
      this.#swap(place, above);
      place = above;
    }
  }

  pop(): number | undefined {
    const nodes = this.#nodes;
    this.#swap(0, nodes.length - 1);
    const heaviest = nodes.pop();
    for (let place = 0; ;) {
      let next = place;
      for (const child of [2 * place + 1, 2 * place + 2])
        if (child < nodes.length && this.#isHeavier(child, next)) next = child;
      if (next === place) return heaviest;
      this.#swap(place, next);
      place = next;
    }
  }

  #isHeavier(one: number, other: number): boolean {
    const [first = 0, second = 0] = [this.#nodes[one], this.#nodes[other]];
    const difference = this.#weight(first) - this.#weight(second);
    return difference > 0 || (difference === 0 && first < second);
  }

  #swap(one: number, other: number): void {
    const nodes = this.#nodes;
    const [first, second] = [nodes[one], nodes[other]];
    if (first === undefined || second === undefined) return;
    nodes[one] = second;
    nodes[other] = first;
  }
}
