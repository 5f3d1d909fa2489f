import type { Category } from "./category.ts";
import { roundedPoints, type Share } from "./change.ts";
import { unknownOwner } from "./frames.ts";
import { stacksCut, summaryMethods, summaryOwners, type OwnerShares, type SummaryBody } from "./profile.ts";

/** Percent; `pct` is the own share, `totalPct` is null if unknown. */
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

/** A sample is of one kind of work, so both shares are equal. */
export interface CategoryShare extends Shared {
  readonly category: Category;
}

/** The own share of an item that is not in the list. */
export type Unlisted = Omit<Share, "isAbsent">;

export interface ShareList<Item> {
  readonly items: ReadonlyMap<string, Item>;
  readonly unlisted: Unlisted;
  /** Whether an item that is not in the list is known to be on no stack. */
  readonly isAbsent: (item: Item) => boolean;
}

/** The shares of one profile, percent of tick samples as they are shown. */
export interface Shares {
  /** The samples that shares refer to; null if unknown. */
  readonly ticks: number | null;
  readonly owners: ShareList<OwnerShare>;
  readonly methods: ShareList<MethodShare>;
  readonly categories: ShareList<CategoryShare>;
}

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

/** Two owners may have methods of one name. Neither part holds U+0000. */
export const methodKey = ({ method, owner }: Pick<MethodShare, "method" | "owner">): string =>
  `${method}\u0000${owner}`;

export const toShares = (ticks: number | null, { owners, methods, categories }: Lists): Shares => ({
  ticks,
  owners: listOf(owners, ({ owner }) => owner),
  methods: listOf(methods, methodKey),
  categories: listOf(categories, ({ category }) => category),
});

/** The rules by which a stored summary counted machine code and waits: 1 to `other` and the JVM, 2 to their callers. */
export const readingOfSummary = ({ owners_by_total }: SummaryBody): 1 | 2 =>
  owners_by_total === null ? 1 : 2;

/** Outside of a complete list a share is 0; without samples it may be anything. */
export const noShares = (ticks: number | null): Unlisted =>
  ticks === 0 ? { pct: null, atMost: 100 } : { pct: 0, atMost: null };

type Listed = readonly { readonly pct: number }[];

const sumOf = (listed: Listed): number => roundedPoints(listed.reduce((sum, { pct }) => sum + pct, 0));

/** The share of samples that are missing from the tree, since every sample in it has a category. */
export const missingPct = (categories: Listed): number => Math.max(0, roundedPoints(100 - sumOf(categories)));

/** The smallest share of a full list, which no unlisted item exceeds; 0 if the list has room. */
const leastOf = (listed: Listed, room: number): number =>
  listed.length < room ? 0 : Math.min(...listed.map(({ pct }) => pct));

/**
 * The most that an unlisted item may have had of the samples missing from the tree and, under `stacks-cut`,
 * of those in a cut stack, which are part of `other`, listed or not.
 */
function lostAtMost(owners: readonly OwnerShare[], categories: Listed, warnings: readonly string[]): number {
  const missing = missingPct(categories);
  if (!warnings.includes(stacksCut)) return missing;
  const others = owners.find(({ owner }) => owner === unknownOwner)?.pct ?? leastOf(owners, summaryOwners);
  return roundedPoints(missing + others);
}

const toOwnerShare = ({ owner, plugin, self_pct, total_pct }: OwnerShares): OwnerShare => ({
  owner,
  plugin,
  pct: roundedPoints(self_pct),
  totalPct: roundedPoints(total_pct),
});

/** Lists may be cut. If owners are incomplete, an unlisted owner or method may have all lost samples. */
export function summaryShares(summary: SummaryBody): Shares {
  // A summary with neither a number of samples nor shares has no samples.
  const isEmpty = summary.owners.length === 0 && summary.categories.length === 0;
  const ticks = summary.samples.tick ?? (isEmpty ? 0 : null);
  const none = noShares(ticks);
  const owners = summary.owners.map(toOwnerShare);
  const known = [...owners, ...(summary.owners_by_total ?? []).map(toOwnerShare)];
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
    owners: [known, isComplete ? none : cut(owners, summaryOwners)],
    methods: [
      methods,
      areAllMethods ? none : cut(methods, summaryMethods),
      // A summary has no total share of a method, but an owner that is on no stack has no method on one.
      ({ owner }) => isComplete && areAllMethods && !known.some((listed) => listed.owner === owner),
    ],
    categories: [categories, none],
  });
}
