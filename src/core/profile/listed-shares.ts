import type { CallTree } from "./call-tree.ts";
import type { Category } from "./category.ts";
import type { ProfileDocument } from "./document.ts";
import { apportion, pctOf } from "./percent.ts";
import { namedByTotalPct, ownersByTotal, type OwnerShares } from "./profile.ts";

/** The owner is on a sampled stack. `self`, `total`: tick samples; `…Pct`: percent with two decimals. */
export interface ListedOwner {
  readonly owner: string;
  readonly plugin: boolean;
  readonly index: number;
  readonly self: number;
  readonly total: number;
  readonly selfPct: number;
  readonly totalPct: number;
}

/** The method is on a sampled stack; `self` and `total` are tick samples. */
export interface ListedMethod {
  readonly method: string;
  readonly owner: string;
  readonly ownerIndex: number;
  readonly self: number;
  readonly total: number;
}

interface Weighed {
  readonly self: number;
  readonly total: number;
}

/** Sorts by own share, then by total share, largest first, then by the code units of the name. */
const byWeight =
  <Item extends Weighed>(name: (item: Item) => string) =>
  (one: Item, other: Item): number =>
    other.self - one.self || other.total - one.total || (name(one) < name(other) ? -1 : 1);

/** The same method may count to several owners. */
export const heavierMethod = byWeight<ListedMethod>(({ method, owner }) => `${method}\u0000${owner}`);
const heavierOwner = byWeight<Omit<ListedOwner, "selfPct" | "totalPct">>(({ owner }) => owner);

/** Heaviest first. Own shares add up to 100 if no sample is missing; a total share is never smaller. */
export function ownerShares({ owners, byOwner, ticks }: CallTree): ListedOwner[] {
  const weighed = owners
    .map(({ name, plugin }, index) => {
      const self = byOwner.self[index] ?? 0;
      return { owner: name, plugin, index, self, total: byOwner.total[index] ?? 0 };
    })
    .filter(({ total }) => total > 0)
    .sort(heavierOwner);
  const selfPcts = apportion(
    weighed.map(({ self }) => self),
    ticks,
  );
  return weighed.map((owner, place) => {
    const selfPct = selfPcts[place] ?? 0;
    return Object.assign(owner, { selfPct, totalPct: Math.max(selfPct, pctOf(owner.total, ticks)) });
  });
}

/** Owners that a list of own shares leaves out though they stand on many stacks, the most first. */
export const leftOutByTotal = (unlisted: readonly ListedOwner[], ticks: number): OwnerShares[] =>
  unlisted
    .filter(({ total }) => total * 100 >= namedByTotalPct * ticks)
    .toSorted(
      (one, other) => other.total - one.total || other.self - one.self || (one.owner < other.owner ? -1 : 1),
    )
    .slice(0, ownersByTotal)
    .map(({ owner, plugin, selfPct, totalPct }) => ({
      owner,
      plugin,
      self_pct: selfPct,
      total_pct: totalPct,
    }));

/** Unsorted; the place of stacks that were cut is left out. */
export function methodsOf({ methods, owners, byMethod }: CallTree): ListedMethod[] {
  const listed: ListedMethod[] = [];
  for (const [index, { name, owner }] of methods.entries()) {
    const total = byMethod.total[index] ?? 0;
    if (name === null || total === 0) continue;
    const self = byMethod.self[index] ?? 0;
    listed.push({ method: name, owner: owners[owner]?.name ?? "other", ownerIndex: owner, self, total });
  }
  return listed;
}

export interface ListedCategory {
  readonly category: Category;
  readonly samples: number;
  readonly pct: number;
}

/** Heaviest first, `other` last; the shares add up to 100 at most. */
export function categoriesOf({ categories, ticks }: CallTree): ListedCategory[] {
  const last = (category: Category): number => (category === "other" ? 1 : 0);
  const kinds = [...categories].sort(
    ([one, its], [other, others]) => last(one) - last(other) || others - its || (one < other ? -1 : 1),
  );
  const pcts = apportion(
    kinds.map(([, samples]) => samples),
    ticks,
  );
  return kinds.map(([category, samples], place) => ({ category, samples, pct: pcts[place] ?? 0 }));
}

/** Whether samples that the sender counted are missing from the tree. */
export const isPartial = ({ held, ticks }: CallTree, { samples }: ProfileDocument): boolean =>
  held < ticks || (samples.capped_tick ?? 0) > 0;

/** Whether the tree holds every tick sample, each to the end of its stack. */
export const isWhole = (tree: CallTree, document: ProfileDocument): boolean =>
  !isPartial(tree, document) && tree.cut === 0 && (document.samples.truncated_tick ?? 0) === 0;
