import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import {
  entriesOf,
  keep,
  keepingOrder,
  lengthOf,
  listsIn,
  type JsonObject,
  type List,
} from "./list-lengths.ts";

/** Breakdowns of a measurement that few questions need. */
const details = ["regions", "worlds_top", "world_sizes"];

export function dropDetails(value: unknown): void {
  if (isJsonObject(value)) for (const name of details) delete value[name];
  if (Array.isArray(value) || isJsonObject(value))
    for (const member of Object.values(value)) dropDetails(member);
}

/** Numbers of removed entries: of the answer's own `data`, and of all other lists. */
export interface LeftOut {
  readonly rows: number;
  readonly others: number;
}

interface Bounds {
  /** Entries that every list keeps. */
  readonly least: number;
  /** Characters below which no list is cut. */
  readonly shortest: number;
}

/** Run in order until enough is removed; short lists inside rows are left to the second pass. */
const passes: readonly { readonly inner: Bounds; readonly outer: Bounds }[] = [
  { inner: { least: 1, shortest: 200 }, outer: { least: 1, shortest: 0 } },
  { inner: { least: 1, shortest: 0 }, outer: { least: 1, shortest: 0 } },
  { inner: { least: 0, shortest: 0 }, outer: { least: 0, shortest: 0 } },
];

/**
 * Shortens lists in place by about `excess` characters: the deepest and longest first, each to one entry,
 * then to none. Lists of one depth are cut to one length, so that none loses more than a longer one.
 */
export function truncateLists(root: JsonObject, excess: number): LeftOut {
  let [toGo, rows, others] = [excess, 0, 0];
  for (const { inner, outer } of passes) {
    for (let depth = deepestOf(root); depth >= 0 && toGo > 0; depth -= 1) {
      const lists = [...listsIn(root)].filter((list) => list.depth === depth);
      for (const { list, gone, saved } of cutToOneLength(lists, toGo, depth > 0 ? inner : outer)) {
        if (list.holder === root && list.names.includes("data")) rows += gone;
        else others += gone;
        toGo -= saved;
      }
    }
  }
  return { rows, others };
}

function deepestOf(root: JsonObject): number {
  let deepest = 0;
  for (const { depth } of listsIn(root)) deepest = Math.max(deepest, depth);
  return deepest;
}

interface Weighed {
  readonly list: List;
  readonly order: readonly number[];
  /** Characters of the first entries of `order`: of none, one, two … */
  readonly lengths: readonly number[];
}

interface Cut {
  readonly list: List;
  readonly gone: number;
  readonly saved: number;
}

function cutToOneLength(lists: readonly List[], excess: number, bounds: Bounds): Cut[] {
  const all = lists.filter((list) => entriesOf(list) > bounds.least).map(weighed);
  const length = longestThatSaves(all, excess, bounds);
  return all
    .map(({ list, order, lengths }) => {
      const kept = keptAt(lengths, length, bounds.least);
      if (kept < order.length) keep(list, new Set(order.slice(0, kept)));
      return { list, gone: order.length - kept, saved: totalOf(lengths) - (lengths[kept] ?? 0) };
    })
    .filter(({ gone }) => gone > 0);
}

function weighed(list: List): Weighed {
  const order = keepingOrder(list);
  const lengths = [0];
  let sum = 0;
  for (const entry of order) lengths.push((sum += lengthOf(list, entry)));
  return { list, order, lengths };
}

const totalOf = (lengths: readonly number[]): number => lengths.at(-1) ?? 0;

/** The greatest list length, characters, that saves enough; `shortest` if none does. */
function longestThatSaves(all: readonly Weighed[], excess: number, { least, shortest }: Bounds): number {
  const saved = (length: number): number =>
    all.reduce(
      (sum, { lengths }) => sum + totalOf(lengths) - (lengths[keptAt(lengths, length, least)] ?? 0),
      0,
    );
  let low = shortest;
  let high = all.reduce((longest, { lengths }) => Math.max(longest, totalOf(lengths)), shortest);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (saved(middle) >= excess) low = middle;
    else high = middle;
  }
  return low;
}

/** How many entries fit into `length` characters, at least `least`. */
function keptAt(lengths: readonly number[], length: number, least: number): number {
  let [low, high] = [0, lengths.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lengths[middle] ?? 0) <= length) low = middle;
    else high = middle - 1;
  }
  return Math.max(low, Math.min(least, lengths.length - 1));
}
