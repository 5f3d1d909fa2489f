import { callTree, type CallTree } from "./call-tree.ts";
import {
  hasFewSamples,
  hasLost,
  tickSamples,
  capturedTime,
  capturedWindow,
  totalSamples,
  warningsOf,
} from "./captured.ts";
import type { ProfileDocument } from "./document.ts";
import { heaviest, pctOf } from "./percent.ts";
import { leastListedPct, summaryMethods, summaryOwners, type KeyPoint, type SummaryBody } from "./profile.ts";
import {
  categoriesOf,
  heavierMethod,
  leftOutByTotal,
  methodsOf,
  ownerShares,
  type ListedCategory,
  type ListedOwner,
} from "./listed-shares.ts";

/** Percent. A plugin is a key point above its threshold, a kind of work from its threshold on. */
const pluginPct = 20;
const waitingPct = 15;
const categoryPct = 30;

export function summarise(document: ProfileDocument): SummaryBody {
  const { local_id, trigger, lag, platform, jvm } = document;
  const tree = callTree(document);
  const owners = ownerShares(tree);
  const categories = categoriesOf(tree);
  const ticks = tickSamples(tree, document);
  return {
    schema: "service-profile-summary/1",
    local_id,
    trigger,
    created_at: capturedTime(document.created_at),
    lag: lag && { kind: lag.kind, slow_ticks: lag.slow_ticks },
    window: capturedWindow(document),
    samples: { tick: ticks, total: totalSamples(tree, document) },
    platform: {
      server_type: platform.server_type,
      server_version: platform.server_version,
      java_version: jvm.java_version,
    },
    warnings: [...new Set(warningsOf(tree, document).map(({ code }) => code))],
    owners_by_total: leftOutByTotal(owners.slice(summaryOwners), tree.ticks),
    owners: owners.slice(0, summaryOwners).map(({ owner, plugin, selfPct, totalPct }) => ({
      owner,
      plugin,
      self_pct: selfPct,
      total_pct: totalPct,
    })),
    owners_complete: areOwnersComplete(tree, owners.slice(summaryOwners)),
    methods: busiestMethods(tree),
    categories: categories.map(({ category, pct }) => ({ category, pct })),
    key_points: [
      ...(hasFewSamples(tree) ? [point("few-samples", { tick_samples: ticks })] : []),
      ...pluginPoints(owners, tree.ticks),
      ...categoryPoints(categories, tree.ticks),
    ],
  };
}

/** False if an unlisted owner has a total share of 0.1 %, or may have lost as much. */
function areOwnersComplete(tree: CallTree, unlisted: readonly ListedOwner[]): boolean {
  const isListed = ({ total }: ListedOwner): boolean => total * 100 >= leastListedPct * tree.ticks;
  return tree.ticks > 0 && !hasLost(tree) && !unlisted.some(isListed);
}

const busiestMethods = (tree: CallTree): SummaryBody["methods"] =>
  heaviest(
    methodsOf(tree).filter(({ self }) => self > 0),
    summaryMethods,
    heavierMethod,
  ).map(({ method, owner, self }) => ({ method, owner, pct: pctOf(self, tree.ticks) }));

const point = (code: KeyPoint["code"], rest: Partial<KeyPoint>): KeyPoint => ({
  code,
  owner: null,
  category: null,
  pct: null,
  tick_samples: null,
  ...rest,
});

/** By samples: a share that is only rounded up to its threshold has not reached it. */
const pluginPoints = (owners: readonly ListedOwner[], ticks: number): KeyPoint[] =>
  owners
    .filter(({ plugin, self }) => plugin && self * 100 > pluginPct * ticks)
    .map(({ owner, selfPct }) => point("plugin-share", { owner, pct: selfPct }));

/** Waiting and `other` are no kinds of work. */
function categoryPoints(categories: readonly ListedCategory[], ticks: number): KeyPoint[] {
  const isFrom =
    (least: number) =>
    ({ samples }: ListedCategory): boolean =>
      samples * 100 >= least * ticks;
  const waiting = categories.filter(({ category }) => category === "waiting").filter(isFrom(waitingPct));
  const work = categories.filter(({ category }) => category !== "waiting" && category !== "other");
  const heaviestWork = work.slice(0, 1).filter(isFrom(categoryPct));
  return [
    ...waiting.map(({ category, pct }) => point("waiting-share", { category, pct })),
    ...heaviestWork.map(({ category, pct }) => point("category-share", { category, pct })),
  ];
}
