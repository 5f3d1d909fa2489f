import type { Category } from "./category.ts";
import { told, type Share } from "./change.ts";
import { summaryMethods, type SummaryBody } from "./profile.ts";

export interface OwnerShare {
  readonly owner: string;
  readonly plugin: boolean;
  readonly pct: number;
  readonly totalPct: number;
}

export interface MethodShare {
  readonly method: string;
  readonly owner: string;
  readonly pct: number;
}

export interface CategoryShare {
  readonly category: Category;
  readonly pct: number;
}

/** A list of shares by name, and the share of whatever is not in it. */
export interface ShareList<Item> {
  readonly items: ReadonlyMap<string, Item>;
  readonly unlisted: Share;
}

/** What a comparison is made of: the shares of one profile, percent of tick samples as they are told. */
export interface Shares {
  /** How many tick samples they are shares of; null where that was not told. */
  readonly ticks: number | null;
  readonly owners: ShareList<OwnerShare>;
  readonly methods: ShareList<MethodShare>;
  readonly categories: ShareList<CategoryShare>;
}

/** What each list holds, and what weighs whatever it does not hold. */
type Listed = { readonly [Kind in Kinds]: readonly [items: readonly ItemOf<Kind>[], unlisted: Share] };
type Kinds = Exclude<keyof Shares, "ticks">;
type ItemOf<Kind extends Kinds> = Shares[Kind] extends ShareList<infer Item> ? Item : never;

const listOf = <Item>(
  [items, unlisted]: readonly [readonly Item[], Share],
  name: (item: Item) => string,
): ShareList<Item> => ({ items: new Map(items.map((item) => [name(item), item])), unlisted });

/** Lists by name; a method is told from one of the same name by its owner, and neither holds U+0000. */
export const toShares = (ticks: number | null, { owners, methods, categories }: Listed): Shares => ({
  ticks,
  owners: listOf(owners, ({ owner }) => owner),
  methods: listOf(methods, ({ method, owner }) => `${method}\u0000${owner}`),
  categories: listOf(categories, ({ category }) => category),
});

/** What is outside a complete list weighs nothing; of no samples a share is anything. */
export const nothing = (ticks: number | null): Share =>
  ticks === 0 ? { pct: null, atMost: 100 } : { pct: 0, atMost: null };

/** What is outside a list that was cut weighs no more than the least in it. */
const leastOf = (listed: readonly { readonly pct: number }[]): Share => ({
  pct: null,
  atMost: Math.min(100, ...listed.map(({ pct }) => pct)),
});

/** The shares a summary lists: its owners may be cut, its methods are when there are as many as a summary takes. */
export function summaryShares(summary: SummaryBody): Shares {
  // Whoever tells neither a number of samples nor a share of them has none.
  const isEmpty = summary.owners.length === 0 && summary.categories.length === 0;
  const ticks = summary.samples.tick ?? (isEmpty ? 0 : null);
  const none = nothing(ticks);
  const owners = summary.owners.map(({ owner, plugin, self_pct, total_pct }) => ({
    owner,
    plugin,
    pct: told(self_pct),
    totalPct: told(total_pct),
  }));
  const methods = summary.methods.map(({ method, owner, pct }) => ({ method, owner, pct: told(pct) }));
  const categories = summary.categories.map(({ category, pct }) => ({ category, pct: told(pct) }));
  return toShares(ticks, {
    owners: [owners, summary.owners_complete ? none : leastOf(owners)],
    methods: [methods, methods.length < summaryMethods ? none : leastOf(methods)],
    categories: [categories, none],
  });
}
