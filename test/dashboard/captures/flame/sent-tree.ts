import { flameTreeOf } from "../../../../src/core/profile/flame-tree.ts";
import { namesOf, treeOf } from "../../../../src/dashboard/scripts/flame/frame-tree.ts";
import type { FrameTree, Names } from "../../../../src/dashboard/scripts/flame/frame-tree.ts";
import type { ProfileDocument } from "../../../../src/core/profile/document.ts";
import { frameWordsOf } from "../../../../src/dashboard/scripts/flame/names.ts";

/** A profile as the page's script reads it. */
export function readTree(document: ProfileDocument): { tree: FrameTree; names: Names } {
  const sent = flameTreeOf(document);
  return { tree: treeOf(sent), names: namesOf(sent) };
}

/** Each node as its depth, method, samples and own samples; callers with a sign before them. */
export function linesOf(tree: FrameTree, names: Names): string[] {
  const words = frameWordsOf(names);
  return Array.from({ length: tree.size }, (_, node) => {
    const side = node >= tree.firstCaller ? "^" : "";
    return [`${side}${tree.depth[node]}`, words(tree, node).method, tree.total[node], tree.self[node]].join(
      " ",
    );
  });
}
