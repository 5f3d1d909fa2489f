import { at, childrenOf, type FrameTree } from "./frame-tree.ts";
import { besideOf, type Layout } from "./layout.ts";

/** Up and down are directions of the drawing. Null if there is no frame. */
export function movedBy(key: string, tree: FrameTree, layout: Layout, node: number): number | null {
  if (key === "Home") return 0;
  if (key === "ArrowLeft" || key === "ArrowRight")
    return besideOf(layout, node, key === "ArrowRight" ? 1 : -1);
  if (key !== "ArrowUp" && key !== "ArrowDown") return null;
  const isCaller = node >= tree.firstCaller;
  const isOutwards = (key === "ArrowUp") === isCaller;
  if (node === 0) {
    const children = childrenOf(tree, 0);
    const wantsCaller = key === "ArrowUp";
    return children.find((child) => child >= tree.firstCaller === wantsCaller) ?? null;
  }
  return isOutwards ? (childrenOf(tree, node)[0] ?? null) : at(tree.parent, node);
}
