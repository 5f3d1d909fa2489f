import { at, childrenOf, pathTo, type FrameTree } from "./frame-tree.ts";

/** The most children of a node that the table shows at once. */
export const shownChildren = 40;

export interface TableRow {
  readonly node: number;
  /** 1 for the root. */
  readonly level: number;
  readonly hasChildren: boolean;
  readonly isOpen: boolean;
  /** The place among its siblings, from 1, and their number. */
  readonly place: number;
  readonly siblings: number;
  /** Siblings after this one that are not shown. */
  readonly hidden: number;
}

/** Of many children only the heaviest are shown, and those on the path to `current`. */
export function tableRows(tree: FrameTree, open: ReadonlySet<number>, current: number): TableRow[] {
  const path = new Set(pathTo(tree, current));
  const rows: TableRow[] = [];
  const add = (node: number, place: number, siblings: number, hidden: number): number[] => {
    const hasChildren = at(tree.last, node) > node;
    const isOpen = hasChildren && open.has(node);
    rows.push({ node, level: at(tree.depth, node) + 1, hasChildren, isOpen, place, siblings, hidden });
    return isOpen ? childrenOf(tree, node) : [];
  };
  /** Siblings to come, innermost last. */
  const waiting: { readonly nodes: readonly number[]; next: number; readonly count: number }[] = [];
  const enter = (children: readonly number[]): void => {
    const nodes = children.filter((node, index) => index < shownChildren || path.has(node));
    if (nodes.length > 0) waiting.push({ nodes, next: 0, count: children.length });
  };
  enter(add(0, 1, 1, 0));
  for (let level = waiting.at(-1); level; level = waiting.at(-1)) {
    const node = level.nodes[level.next];
    if (node === undefined) {
      waiting.pop();
      continue;
    }
    level.next += 1;
    const isLast = level.next === level.nodes.length;
    enter(add(node, level.next, level.count, isLast ? level.count - level.nodes.length : 0));
  }
  return rows;
}

/** A frame with this share of its parent is opened together with it. */
const heavyShare = 0.5;
const longestOpening = 30;

/** The path to the node, and from there down while one child has most of the samples. */
export function openedFor(tree: FrameTree, node: number): number[] {
  const open = pathTo(tree, node);
  for (let step = node, count = 0; count < longestOpening; count += 1) {
    const [heaviest] = childrenOf(tree, step);
    if (heaviest === undefined || at(tree.total, heaviest) < heavyShare * at(tree.total, step)) break;
    open.push(heaviest);
    step = heaviest;
  }
  return open;
}
