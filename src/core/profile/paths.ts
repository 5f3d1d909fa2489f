import type { CallTree } from "./call-tree.ts";
import { heaviest, pctOf } from "./percent.ts";
import { detailPaths, firstFrames, pathFrames, type DetailBody } from "./profile-detail.ts";

type Path = DetailBody["paths"][number];

/** Most samples first; `owner` is an index, null for all stacks. */
export function heaviestPaths(tree: CallTree, owner: number | null): { paths: Path[]; isTruncated: boolean } {
  const isAsked = owner === null ? null : stacksWith(tree, owner);
  const sampled: number[] = [];
  const endsIn = (stack: number): number => tree.ends[stack] ?? 0;
  for (let stack = 0; stack < tree.ends.length; stack += 1) {
    if (endsIn(stack) > 0 && isAsked?.[stack] !== 0) sampled.push(stack);
  }
  const paths = heaviest(sampled, detailPaths, (one, other) => endsIn(other) - endsIn(one) || one - other);
  return {
    paths: paths.map((stack) => shownPath(tree, stack, owner)),
    isTruncated: sampled.length > detailPaths,
  };
}

const ownerAt = ({ method, methods }: CallTree, stack: number): number =>
  methods[method[stack] ?? -1]?.owner ?? -1;

/** 1 for each stack that the owner is on. */
function stacksWith(tree: CallTree, owner: number): Uint8Array {
  const isOn = new Uint8Array(tree.parent.length);
  for (let stack = 0; stack < isOn.length; stack += 1) {
    isOn[stack] = ownerAt(tree, stack) === owner ? 1 : (isOn[tree.parent[stack] ?? -1] ?? 0);
  }
  return isOn;
}

/** From the root on; a deep stack keeps its first and last frames. */
function shownPath(tree: CallTree, stack: number, owner: number | null): Path {
  const { parent, method, byMethod, ticks } = tree;
  const depth = tree.depth[stack] ?? 0;
  const isOmitted = (at: number): boolean =>
    depth > pathFrames && at > firstFrames && at <= depth - (pathFrames - firstFrames);
  const frames: Path["frames"] = [];
  let entry: number | null = null;
  let at = depth;
  for (let caller = stack; caller >= 0; caller = parent[caller] ?? -1) {
    if (owner !== null && ownerAt(tree, caller) === owner) entry = at;
    if (!isOmitted(at)) frames.push(shownFrame(tree, caller));
    at -= 1;
  }
  const last = method[stack] ?? -1;
  return {
    ends_pct: pctOf(tree.ends[stack] ?? 0, ticks),
    self_pct: pctOf(byMethod.self[last] ?? 0, ticks),
    total_pct: pctOf(byMethod.total[last] ?? 0, ticks),
    depth,
    frames: frames.toReversed(),
    omitted_frames: Math.max(0, depth - pathFrames),
    owner_entry_depth: entry,
  };
}

function shownFrame(tree: CallTree, stack: number): Path["frames"][number] {
  const { method, methods, owners } = tree;
  return {
    frame: methods[method[stack] ?? -1]?.name ?? null,
    owner: owners[ownerAt(tree, stack)]?.name ?? null,
  };
}
