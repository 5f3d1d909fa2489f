import { at, type FrameTree } from "./frame-tree.ts";

/** The shown stretch, samples: 0 is the left edge of the root. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A row for each depth, with callers of the root above it. */
export interface Layout {
  /** The left edge of each node, samples. */
  readonly start: Float64Array;
  /** By node; the first row is 0. */
  readonly row: Int32Array;
  /** By row: its nodes from left to right. */
  readonly rows: readonly Int32Array[];
}

/** Children are side by side from their parent's left edge; samples without a child are at its right end. */
export function layoutOf(tree: FrameTree): Layout {
  const { size, firstCaller } = tree;
  const start = new Float64Array(size);
  const used = new Float64Array(size);
  let rootRow = 0;
  for (let node = firstCaller; node < size; node += 1) rootRow = Math.max(rootRow, at(tree.depth, node));
  const row = new Int32Array(size);
  const inRow: number[][] = [];
  for (let node = 0; node < size; node += 1) {
    if (node === firstCaller) used[0] = 0;
    const above = at(tree.parent, node);
    if (above >= 0) {
      start[node] = at(used, above);
      used[above] = at(used, above) + at(tree.total, node);
    }
    used[node] = at(start, node);
    const depth = at(tree.depth, node);
    row[node] = node >= firstCaller ? rootRow - depth : rootRow + depth;
    (inRow[at(row, node)] ??= []).push(node);
  }
  return { start, row, rows: Array.from(inRow, (nodes = []) => Int32Array.from(nodes)) };
}

export function spanOf(tree: FrameTree, { start }: Layout, node: number): Span {
  const from = at(start, node);
  return { from, to: from + at(tree.total, node) };
}

interface Drawn {
  readonly node: number;
  /** CSS pixels from the left of the view. */
  readonly left: number;
  readonly right: number;
}

/** Narrower frames are drawn together with their neighbours, CSS pixels. */
const narrow = 1;

/** Of very narrow frames only one for each pixel is drawn: the work depends on the width of the view. */
export function eachDrawn(
  tree: FrameTree,
  { start, rows }: Layout,
  row: number,
  { from, to }: Span,
  width: number,
  draw: (frame: Drawn) => void,
): void {
  const nodes = rows[row];
  if (!nodes) return;
  const scale = width / (to - from);
  const endOf = (index: number): number => at(start, at(nodes, index)) + at(tree.total, at(nodes, index));
  let index = firstIndex(0, nodes.length, (index) => endOf(index) > from);
  while (index < nodes.length) {
    const node = at(nodes, index);
    const left = (at(start, node) - from) * scale;
    if (left >= width) return;
    const right = left + at(tree.total, node) * scale;
    if (right - left >= narrow) {
      draw({ node, left: Math.max(left, -1), right: Math.min(right, width + 1) });
      index += 1;
      continue;
    }
    draw({ node, left, right: left + narrow });
    const passed = from + (left + narrow) / scale;
    index = firstIndex(index + 1, nodes.length, (index) => endOf(index) > passed);
  }
}

/** The first index at which the condition holds; it must hold from there on. */
function firstIndex(begin: number, end: number, holds: (index: number) => boolean): number {
  // The index is usually near the beginning.
  let step = 1;
  let [low, high] = [begin, begin];
  while (high < end && !holds(high)) {
    low = high + 1;
    high += step;
    step *= 2;
  }
  high = Math.min(high, end);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** `place` in samples; null if there is no node. */
export function nodeAt(tree: FrameTree, { start, rows }: Layout, row: number, place: number): number | null {
  const nodes = rows[row];
  if (!nodes) return null;
  const index = firstIndex(0, nodes.length, (index) => {
    const node = at(nodes, index);
    return at(start, node) + at(tree.total, node) > place;
  });
  const node = nodes[index];
  return node !== undefined && at(start, node) <= place ? node : null;
}

/** Null at the ends of the row. */
export function besideOf({ row, rows }: Layout, node: number, step: 1 | -1): number | null {
  const nodes = rows[at(row, node)];
  if (!nodes) return null;
  // The nodes of a row are in the order of their indexes.
  const index = firstIndex(0, nodes.length, (index) => at(nodes, index) >= node);
  return nodes[index + step] ?? null;
}
