/** The calls of a profile as the page sends them: columns are comma-separated integers. */
export interface SentTree {
  readonly tick_samples: number;
  readonly held_samples: number;
  readonly owners: readonly string[];
  readonly plugins: string;
  readonly methods: readonly (string | null)[];
  readonly method_owners: string;
  readonly depths: string;
  readonly node_methods: string;
  readonly self_samples: string;
  readonly merged: string;
}

/** Shared by all trees of a profile. */
export interface Names {
  readonly owners: readonly string[];
  /** By owner. */
  readonly isPlugin: readonly boolean[];
  /** By method; null for stacks that were cut. */
  readonly methods: readonly (string | null)[];
  readonly ownerOf: Int32Array;
  /** All tick samples, to which shares refer. */
  readonly ticks: number;
}

/** For nodes without a method. */
export const rootMethod = -1;
export const mergedMethod = -2;

/**
 * Node 0 is the root; each node comes directly before its children, the heaviest child first. In a view of
 * one method, the nodes from `firstCaller` on are callers, and their children are the callers of those.
 */
export interface FrameTree {
  readonly size: number;
  /** -1 for the root. */
  readonly parent: Int32Array;
  /** The index of the method, or `rootMethod` or `mergedMethod`. */
  readonly method: Int32Array;
  /** 0 for the root. */
  readonly depth: Int32Array;
  /** Tick samples with this frame on their stack, and those that ended in it. */
  readonly total: Float64Array;
  readonly self: Float64Array;
  /** The last node below each node; a node without children has its own index. */
  readonly last: Int32Array;
  /** The size of the tree if there are no callers. */
  readonly firstCaller: number;
  /** How many nodes were merged into each node of method `mergedMethod`. */
  readonly mergedNodes: ReadonlyMap<number, number>;
}

/** 0 outside of the column. */
export const at = (column: Int32Array | Float64Array | Uint8Array, index: number): number =>
  column[index] ?? 0;

const integersOf = (column: string): number[] => (column === "" ? [] : column.split(",").map(Number));

export const namesOf = (sent: SentTree): Names => ({
  owners: sent.owners,
  isPlugin: integersOf(sent.plugins).map((flag) => flag === 1),
  methods: sent.methods,
  ownerOf: Int32Array.from(integersOf(sent.method_owners)),
  ticks: sent.tick_samples,
});

export function treeOf(sent: SentTree): FrameTree {
  const depth = Int32Array.from([0, ...integersOf(sent.depths)]);
  const method = Int32Array.from([0, ...integersOf(sent.node_methods)], (index) =>
    index === -1 ? mergedMethod : index,
  );
  method[0] = rootMethod;
  const self = Float64Array.from([0, ...integersOf(sent.self_samples)]);
  const parent = new Int32Array(depth.length);
  const path: number[] = [];
  const mergedNodes = new Map<number, number>();
  const counts = integersOf(sent.merged);
  for (let node = 0; node < depth.length; node += 1) {
    const level = at(depth, node);
    parent[node] = path[level - 1] ?? -1;
    path[level] = node;
    if (at(method, node) === mergedMethod) mergedNodes.set(node, counts[mergedNodes.size] ?? 1);
  }
  return { ...summedUp({ parent, method, depth, self }), firstCaller: depth.length, mergedNodes };
}

type Summed = Omit<FrameTree, "firstCaller" | "mergedNodes">;

function summedUp({
  parent,
  method,
  depth,
  self,
}: Pick<FrameTree, "parent" | "method" | "depth" | "self">): Summed {
  const size = parent.length;
  const total = self.slice();
  const last = Int32Array.from(parent, (_, node) => node);
  for (let node = size - 1; node > 0; node -= 1) {
    const caller = at(parent, node);
    total[caller] = at(total, caller) + at(total, node);
    last[caller] = Math.max(at(last, caller), at(last, node));
  }
  return { size, parent, method, depth, total, self, last };
}

/** A growing tree has its nodes in any order with parents before their children. */
export interface GrownNode {
  readonly parent: number;
  readonly method: number;
  readonly total: number;
  readonly self: number;
  readonly isCaller: boolean;
}

/** The first node is the root. Order: parents before children, callees before callers, heaviest first. */
export function ordered(nodes: readonly GrownNode[]): FrameTree {
  const children = nodes.map((): number[] => []);
  nodes.forEach(({ parent }, node) => {
    if (node > 0) children[parent]?.push(node);
  });
  const weight = (node: number): number => nodes[node]?.total ?? 0;
  const side = (node: number): number => (nodes[node]?.isCaller ? 1 : 0);
  for (const siblings of children)
    siblings.sort((one, other) => side(one) - side(other) || weight(other) - weight(one) || one - other);
  const size = nodes.length;
  const parent = new Int32Array(size);
  const method = new Int32Array(size);
  const depth = new Int32Array(size);
  const total = new Float64Array(size);
  const self = new Float64Array(size);
  const last = Int32Array.from(parent, (_, node) => node);
  const placeOf = new Int32Array(size);
  const waiting = [0];
  let place = 0;
  let firstCaller = size;
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const grown = nodes[node];
    if (!grown) continue;
    placeOf[node] = place;
    parent[place] = node === 0 ? -1 : at(placeOf, grown.parent);
    method[place] = grown.method;
    depth[place] = node === 0 ? 0 : at(depth, at(parent, place)) + 1;
    total[place] = grown.total;
    self[place] = grown.self;
    if (grown.isCaller) firstCaller = Math.min(firstCaller, place);
    for (const child of (children[node] ?? []).toReversed()) waiting.push(child);
    place += 1;
  }
  for (let node = size - 1; node > 0; node -= 1) {
    const above = at(parent, node);
    last[above] = Math.max(at(last, above), at(last, node));
  }
  return { size, parent, method, depth, total, self, last, firstCaller, mergedNodes: new Map() };
}

/** Heaviest first. */
export function childrenOf(tree: FrameTree, node: number): number[] {
  const children: number[] = [];
  const end = at(tree.last, node);
  for (let child = node + 1; child <= end; child = at(tree.last, child) + 1) children.push(child);
  return children;
}

/** From below the root to the node, both included; for the root, only the root. */
export function pathTo(tree: FrameTree, node: number): number[] {
  const path: number[] = [];
  for (let step = node; step >= 0; step = at(tree.parent, step)) {
    path.push(step);
    if (step === 0) break;
  }
  return path.toReversed();
}
