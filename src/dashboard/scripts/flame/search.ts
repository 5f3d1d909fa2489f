import { at, type FrameTree, type Names } from "./frame-tree.ts";
import { outermost } from "./grow.ts";

export interface SearchResult {
  /** By method: 1 if its name or owner contains the text. */
  readonly methods: Uint8Array;
  /** Methods found in this tree. */
  readonly methodCount: number;
  /** Found frames. */
  readonly frames: number;
  /** Tick samples with a found frame on their stack, each counted once. */
  readonly samples: number;
}

/** Ignores case. Null for an empty text. */
export function search(tree: FrameTree, names: Names, text: string): SearchResult | null {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return null;
  const isOwner = names.owners.map((owner) => owner.toLowerCase().includes(wanted));
  const methods = Uint8Array.from(names.methods, (name, method) => {
    if (name === null) return 0;
    return isOwner[at(names.ownerOf, method)] || name.toLowerCase().includes(wanted) ? 1 : 0;
  });
  let frames = 0;
  const here = new Set<number>();
  for (let node = 0; node < tree.size; node += 1) {
    const method = at(tree.method, node);
    if (at(methods, method) === 0) continue;
    frames += 1;
    here.add(method);
  }
  const isFound = (node: number) => at(methods, at(tree.method, node)) === 1;
  // Callers stand for the same samples as callees, so only one side counts.
  const samples = outermost(tree, isFound)
    .filter((node) => node < tree.firstCaller)
    .reduce((sum, node) => sum + at(tree.total, node), 0);
  return { methods, methodCount: here.size, frames, samples };
}

/** In the order of the tree; after the last frame it begins again. Null if nothing was found. */
export function nextFound(tree: FrameTree, { methods }: SearchResult, node: number): number | null {
  for (let step = 1; step <= tree.size; step += 1) {
    const next = (node + step) % tree.size;
    if (at(methods, at(tree.method, next)) === 1) return next;
  }
  return null;
}
