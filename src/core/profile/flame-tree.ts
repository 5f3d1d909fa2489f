import { z } from "zod";
import { callTree, sampledBelow, type CallTree } from "./call-tree.ts";
import { visible } from "../text/plain-words.ts";
import type { ProfileDocument } from "./document.ts";
import { drawnStacks, heaviestStacks } from "./drawn-stacks.ts";

/** The most stacks that a page's script draws. */
export const flameTreeStacks = 100_000;

/** Characters. A longer name keeps its end, which has class and method. */
const longestName = 240;

/** Bytes of all names as sent: with 2.5 MB for the columns of the largest tree, below 8 MB together. */
const mostNameBytes = 4_000_000;

/**
 * Nodes in columns, each directly before its callees, the heaviest callee first. A column is a text of
 * integers with commas between them: checking it takes a quarter of the time of a JSON array.
 */
export const FlameTree = z.object({
  /** The samples that shares refer to. */
  tick_samples: z.int(),
  /** Tick samples in the tree. */
  held_samples: z.int(),
  owners: z.array(z.string()),
  /** By owner: 1 for a plugin, else 0. */
  plugins: z.string(),
  /** By method; null for the place of stacks that were cut. */
  methods: z.array(z.string().nullable()),
  /** By method: the index of its owner. */
  method_owners: z.string(),
  /** By node: 1 for a root. */
  depths: z.string(),
  /** By node: the index of its method; -1 for nodes that were merged into this one. */
  node_methods: z.string(),
  /** By node: the samples that ended in it; of merged nodes, all of their samples. */
  self_samples: z.string(),
  /** By node with method -1, in order: the number of merged nodes. */
  merged: z.string(),
});
export type FlameTree = z.infer<typeof FlameTree>;

/** Names are visible text. Beyond the limits, the lightest nodes are merged. */
export function flameTreeOf(document: ProfileDocument): FlameTree {
  const tree = callTree(document);
  const below = sampledBelow(tree);
  const heaviest = heaviestStacks(tree, below, { stacks: flameTreeStacks, leastPct: 0 });
  const names = new Map<number, string | null>();
  const ownerNames = new Map<number, string>();
  const drawn = heaviest.slice(0, namedAlong(tree, heaviest, names, ownerNames));
  const methods = new Map<number, number>();
  const owners = new Map<number, number>();
  const nodes = drawnStacks(tree, below, drawn);
  const node_methods = nodes.map(({ stack }) => (stack < 0 ? -1 : placeOf(methods, tree.method[stack] ?? 0)));
  const method_owners = [...methods.keys()].map((method) =>
    placeOf(owners, tree.methods[method]?.owner ?? 0),
  );
  return {
    tick_samples: tree.ticks,
    held_samples: tree.held,
    owners: [...owners.keys()].map((owner) => ownerNames.get(owner) ?? ""),
    plugins: [...owners.keys()].map((owner) => (tree.owners[owner]?.plugin ? 1 : 0)).join(","),
    methods: [...methods.keys()].map((method) => names.get(method) ?? null),
    method_owners: method_owners.join(","),
    depths: nodes.map(({ depth }) => depth).join(","),
    node_methods: node_methods.join(","),
    self_samples: nodes.map(({ stack, samples }) => (stack < 0 ? samples : tree.ends[stack])).join(","),
    merged: nodes.flatMap(({ merged }) => (merged > 0 ? [merged] : [])).join(","),
  };
}

/** Collects names of methods and owners; returns for how many stacks there is room. */
function namedAlong(
  tree: CallTree,
  stacks: readonly number[],
  names: Map<number, string | null>,
  ownerNames: Map<number, string>,
): number {
  let bytes = 0;
  const end = stacks.findIndex((stack) => {
    const method = tree.method[stack] ?? 0;
    if (names.has(method)) return false;
    const { name = null, owner = 0 } = tree.methods[method] ?? {};
    const shown = name === null ? null : shownEnd(name);
    bytes += sentBytes(shown ?? "");
    if (!ownerNames.has(owner)) {
      const ownerName = visible(tree.owners[owner]?.name ?? "");
      bytes += sentBytes(ownerName);
      ownerNames.set(owner, ownerName);
    }
    if (bytes > mostNameBytes) return true;
    names.set(method, shown);
    return false;
  });
  return end === -1 ? stacks.length : end;
}

const shownEnd = (name: string): string =>
  visible(name.length > longestName ? [...name].slice(-longestName).join("") : name);

const encoder = new TextEncoder();
const sentBytes = (text: string): number => encoder.encode(JSON.stringify(text)).length;

/** Numbers keys from 0 in the order of first use. */
function placeOf(places: Map<number, number>, key: number): number {
  const known = places.get(key);
  if (known !== undefined) return known;
  places.set(key, places.size);
  return places.size - 1;
}
