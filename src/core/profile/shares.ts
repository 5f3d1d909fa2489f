import type { Category } from "./category.ts";
import { roundedPoints, type Share } from "./change.ts";
import { unknownOwner } from "./frames.ts";
import { stacksCut, summaryMethods, summaryOwners, type SummaryBody } from "./profile.ts";

/** Own and total share, percent; the total one is null where it is not known. */
export interface Shared {
  readonly pct: number;
  readonly totalPct: number | null;
}

export interface OwnerShare extends Shared {
  readonly owner: string;
  readonly plugin: boolean;
  readonly totalPct: number;
}

export interface MethodShare extends Shared {
  readonly method: string;
  readonly owner: string;
}

/** A sample is of one kind of work: its two shares are one. */
export interface CategoryShare extends Shared {
  readonly category: Category;
}

/** The own share of whatever is not in a list. */
export type Unlisted = Omit<Share, "isAbsent">;

/** A list of shares by name, and what is known of whatever is not in it. */
export interface ShareList<Item> {
  readonly items: ReadonlyMap<string, Item>;
  readonly unlisted: Unlisted;
  /** Whether an item that is not in the list is known to be on no stack. */
  readonly isAbsent: (item: Item) => boolean;
}

/** What a comparison is made of: the shares of one profile, percent of tick samples as they are shown. */
export interface Shares {
  /** How many tick samples they are shares of; null where that is unknown. */
  readonly ticks: number | null;
  readonly owners: ShareList<OwnerShare>;
  readonly methods: ShareList<MethodShare>;
  readonly categories: ShareList<CategoryShare>;
}

/** What each list holds, what weighs whatever it does not hold, and of what that is known to be on no stack. */
type Lists = {
  readonly [Kind in Kinds]: readonly [
    items: readonly ItemOf<Kind>[],
    unlisted: Unlisted,
    isAbsent?: (item: ItemOf<Kind>) => boolean,
  ];
};
type Kinds = Exclude<keyof Shares, "ticks">;
type ItemOf<Kind extends Kinds> = Shares[Kind] extends ShareList<infer Item> ? Item : never;

const listOf = <Item>(
  [items, unlisted, isAbsent]: readonly [readonly Item[], Unlisted, ((item: Item) => boolean)?],
  name: (item: Item) => string,
): ShareList<Item> => ({
  items: new Map(items.map((item) => [name(item), item])),
  unlisted,
  isAbsent: isAbsent ?? (() => unlisted.pct === 0),
});

/** One of two methods of a name by its owner; neither holds U+0000. */
export const methodKey = ({ method, owner }: Pick<MethodShare, "method" | "owner">): string =>
  `${method}\u0000${owner}`;

export const toShares = (ticks: number | null, { owners, methods, categories }: Lists): Shares => ({
  ticks,
  owners: listOf(owners, ({ owner }) => owner),
  methods: listOf(methods, methodKey),
  categories: listOf(categories, ({ category }) => category),
});

/** What is outside a complete list weighs nothing; of no samples a share is anything. */
export const noShares = (ticks: number | null): Unlisted =>
  ticks === 0 ? { pct: null, atMost: 100 } : { pct: 0, atMost: null };

type Listed = readonly { readonly pct: number }[];

const sumOf = (listed: Listed): number => roundedPoints(listed.reduce((sum, { pct }) => sum + pct, 0));

/** Samples missing from the tree: every one it has is of some kind of work. */
export const missingPct = (categories: Listed): number => Math.max(0, roundedPoints(100 - sumOf(categories)));

/** The least share of a list that has all it has room for: what found none weighs no more. 0 where there was room. */
const leastOf = (listed: Listed, room: number): number =>
  listed.length < room ? 0 : Math.min(...listed.map(({ pct }) => pct));

/**
 * The most that something may weigh of which a summary's lists know nothing: the samples that are missing from the
 * tree, and, where it warns of them, those that end in a cut stack, which are among those of `other`, listed or not.
 */
function lostAtMost(owners: readonly OwnerShare[], categories: Listed, warnings: readonly string[]): number {
  const missing = missingPct(categories);
  if (!warnings.includes(stacksCut)) return missing;
  const others = owners.find(({ owner }) => owner === unknownOwner)?.pct ?? leastOf(owners, summaryOwners);
  return roundedPoints(missing + others);
}

/**
 * The shares a summary lists. Owners and methods may be cut for room; where owners are not complete, samples may be
 * lost besides, and any owner or method outside the lists may have had them all.
 */
export function summaryShares(summary: SummaryBody): Shares {
  // Whoever tells neither a number of samples nor a share of them has none.
  const isEmpty = summary.owners.length === 0 && summary.categories.length === 0;
  const ticks = summary.samples.tick ?? (isEmpty ? 0 : null);
  const none = noShares(ticks);
  const owners = summary.owners.map(({ owner, plugin, self_pct, total_pct }) => ({
    owner,
    plugin,
    pct: roundedPoints(self_pct),
    totalPct: roundedPoints(total_pct),
  }));
  const methods = summary.methods.map(({ method, owner, pct }) => ({
    method,
    owner,
    pct: roundedPoints(pct),
    totalPct: null,
  }));
  const categories = summary.categories.map(({ category, pct }) => ({
    category,
    pct: roundedPoints(pct),
    totalPct: roundedPoints(pct),
  }));
  const isComplete = summary.owners_complete;
  const lost = isComplete ? 0 : lostAtMost(owners, categories, summary.warnings);
  const cut = (listed: Listed, room: number): Unlisted => ({
    pct: null,
    atMost: Math.min(100, Math.max(lost, leastOf(listed, room))),
  });
  const areAllMethods = lost === 0 && methods.length < summaryMethods;
  return toShares(ticks, {
    owners: [owners, isComplete ? none : cut(owners, summaryOwners)],
    methods: [
      methods,
      areAllMethods ? none : cut(methods, summaryMethods),
      // A summary tells no total share of a method; but what ran none of its owner's code ran no method of it.
      ({ owner }) => isComplete && areAllMethods && !owners.some((listed) => listed.owner === owner),
    ],
    categories: [categories, none],
  });
}
