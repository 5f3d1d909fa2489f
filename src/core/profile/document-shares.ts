import { callTree, type CallTree } from "./call-tree.ts";
import { hasLost } from "./captured.ts";
import { told, type Share } from "./change.ts";
import type { ProfileDocument } from "./document.ts";
import { unknownOwner } from "./frames.ts";
import { pctAtMost, pctOf } from "./percent.ts";
import { missingPct, nothing, toShares, type CategoryShare, type OwnerShare, type Shares } from "./shares.ts";
import { categoriesOf, methodsOf, ownersOf } from "./told-shares.ts";

/**
 * Outside what a tree holds may be what it lost: samples it never had, and those that end where a stack was cut, by
 * the shares of categories and of `other` as they are told.
 */
function unlistedShare(
  tree: CallTree,
  owners: readonly OwnerShare[],
  categories: readonly CategoryShare[],
): Share {
  const { cut, ticks } = tree;
  if (!hasLost(tree)) return nothing(ticks);
  const others = owners.find(({ owner }) => owner === unknownOwner)?.pct ?? 0;
  return { pct: null, atMost: told(missingPct(categories) + Math.min(others, pctAtMost(cut, ticks))) };
}

/** The shares of a whole profile: of every owner and every busy method of its tree, not just the heaviest. */
export function documentShares(document: ProfileDocument): Shares {
  const tree = callTree(document);
  const owners = ownersOf(tree).map(({ owner, plugin, selfPct, totalPct }) => ({
    owner,
    plugin,
    pct: selfPct,
    totalPct,
  }));
  const methods = methodsOf(tree)
    .filter(({ self }) => self > 0)
    .map(({ method, owner, self }) => ({ method, owner, pct: pctOf(self, tree.ticks) }));
  const categories = categoriesOf(tree);
  const unlisted = unlistedShare(tree, owners, categories);
  return toShares(tree.ticks, {
    owners: [owners, unlisted],
    methods: [methods, unlisted],
    categories: [categories, nothing(tree.ticks)],
  });
}
