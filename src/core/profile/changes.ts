import { changeOf, type Change, type Share, type TickSamples } from "./change.ts";
import { heaviest } from "./percent.ts";
import type { Shared, ShareList } from "./shares.ts";

export interface Changed<Item> {
  readonly base: Item | undefined;
  readonly target: Item | undefined;
  /** Of the newer profile, or of the older one if only that lists it. */
  readonly item: Item;
  readonly change: Change;
}

interface Ranked<Item> extends Changed<Item> {
  readonly name: string;
  /** The size of the change, or the largest it could be, percentage points. */
  readonly size: number;
  /** The larger of the two shares, percent. */
  readonly weight: number;
}

const inOrder = <Item>(a: Ranked<Item>, b: Ranked<Item>): number =>
  b.size - a.size || b.weight - a.weight || (a.name < b.name ? -1 : Number(a.name > b.name));

const sizeOf = ({ delta_points, delta_min, delta_max }: Change): number =>
  Math.max(Math.abs(delta_points ?? 0), Math.abs(delta_min ?? 0), Math.abs(delta_max ?? 0));

/** `its` is the list's own entry of the item, if it has one. */
const shareOf = <Item extends Shared>(list: ShareList<Item>, item: Item, its?: Item): Share =>
  its === undefined
    ? { ...list.unlisted, isAbsent: list.isAbsent(item) }
    : { pct: its.pct, atMost: null, isAbsent: its.pct === 0 && its.totalPct === 0 };

export interface Changes<Item> {
  readonly rows: readonly Changed<Item>[];
  readonly truncated: boolean;
}

/** At most `most`: the biggest change first, then the heaviest, then by name. */
export function changesOf<Item extends Shared>(
  base: ShareList<Item>,
  target: ShareList<Item>,
  ticks: TickSamples,
  most: number,
): Changes<Item> {
  let count = 0;
  const row = (name: string, item: Item, one?: Item, other?: Item): Ranked<Item> => {
    count += 1;
    const change = changeOf(shareOf(base, item, one), shareOf(target, item, other), ticks);
    const weight = Math.max(change.base_pct ?? 0, change.target_pct ?? 0);
    return { name, base: one, target: other, item, change, size: sizeOf(change), weight };
  };
  function* rows(): Generator<Ranked<Item>> {
    for (const [name, item] of target.items) yield row(name, item, base.items.get(name), item);
    for (const [name, item] of base.items) if (!target.items.has(name)) yield row(name, item, item);
  }
  return { rows: heaviest(rows(), most, inOrder), truncated: count > most };
}
