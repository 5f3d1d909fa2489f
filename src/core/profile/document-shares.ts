import { callTree, type CallTree } from "./call-tree.ts";
import type { Share } from "./change.ts";
import type { ProfileDocument } from "./document.ts";
import { pctOf } from "./percent.ts";
import { leastListedPct } from "./profile.ts";
import { nothing, toShares, type Shares } from "./shares.ts";
import { categoriesOf, methodsOf, ownersOf } from "./told-shares.ts";

/** Outside what a tree holds may be what it lost: samples it never had, and those that end where a stack was cut. */
function unlistedShare({ held, cut, ticks }: CallTree): Share {
  const lost = ticks - held + cut;
  if (lost * 100 < leastListedPct * ticks) return nothing(ticks);
  return { pct: null, atMost: ticks === 0 ? 100 : Math.ceil((lost * 10_000) / ticks) / 100 };
}

/** The shares of a whole profile: of every owner and every busy method of its tree, not just the heaviest. */
export function documentShares(document: ProfileDocument): Shares {
  const tree = callTree(document);
  const unlisted = unlistedShare(tree);
  const owners = ownersOf(tree).map(({ owner, plugin, selfPct, totalPct }) => ({
    owner,
    plugin,
    pct: selfPct,
    totalPct,
  }));
  const methods = methodsOf(tree)
    .filter(({ self }) => self > 0)
    .map(({ method, owner, self }) => ({ method, owner, pct: pctOf(self, tree.ticks) }));
  return toShares(tree.ticks, {
    owners: [owners, unlisted],
    methods: [methods, unlisted],
    categories: [categoriesOf(tree), nothing(tree.ticks)],
  });
}
