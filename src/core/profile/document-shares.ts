import { callTree, type CallTree } from "./call-tree.ts";
import { hasLost } from "./captured.ts";
import { roundedPoints } from "./change.ts";
import type { ProfileDocument } from "./document.ts";
import { unknownOwner } from "./frames.ts";
import { pctAtMost, pctOf } from "./percent.ts";
import {
  methodKey,
  missingPct,
  noShares,
  toShares,
  type CategoryShare,
  type OwnerShare,
  type Shares,
  type Unlisted,
} from "./shares.ts";
import { categoriesOf, methodsOf, ownerShares } from "./listed-shares.ts";

/** An unlisted item may have had the lost samples: those missing from the tree or ended in a cut stack. */
function unlistedShare(
  tree: CallTree,
  owners: readonly OwnerShare[],
  categories: readonly CategoryShare[],
): Unlisted {
  const { cut, ticks } = tree;
  if (!hasLost(tree)) return noShares(ticks);
  const others = owners.find(({ owner }) => owner === unknownOwner)?.pct ?? 0;
  return {
    pct: null,
    atMost: roundedPoints(missingPct(categories) + Math.min(others, pctAtMost(cut, ticks))),
  };
}

/** Has every owner and every busy method of the tree, not only the heaviest. */
export function documentShares(document: ProfileDocument): Shares {
  const tree = callTree(document);
  const owners = ownerShares(tree).map(({ owner, plugin, selfPct, totalPct }) => ({
    owner,
    plugin,
    pct: selfPct,
    totalPct,
  }));
  const all = methodsOf(tree);
  const methods = all
    .filter(({ self }) => self > 0)
    .map(({ method, owner, self, total }) => ({
      method,
      owner,
      pct: pctOf(self, tree.ticks),
      totalPct: pctOf(total, tree.ticks),
    }));
  const calling = new Set(all.filter(({ self }) => self === 0).map(methodKey));
  const categories = categoriesOf(tree).map(({ category, pct }) => ({ category, pct, totalPct: pct }));
  const unlisted = unlistedShare(tree, owners, categories);
  return toShares(tree.ticks, {
    owners: [owners, unlisted],
    methods: [methods, unlisted, (method) => unlisted.pct === 0 && !calling.has(methodKey(method))],
    categories: [categories, noShares(tree.ticks)],
  });
}
