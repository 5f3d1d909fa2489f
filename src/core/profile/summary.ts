import { callTree, type CallTree } from "./call-tree.ts";
import { hasFewSamples, tickSamples, toldTime, warningsOf } from "./captured.ts";
import type { ProfileDocument } from "./document.ts";
import { heaviest, pctOf } from "./percent.ts";
import { leastListedPct, summaryMethods, summaryOwners, type KeyPoint, type SummaryBody } from "./profile.ts";
import { categoriesOf, heavierMethod, methodsOf, ownersOf, type ToldOwner } from "./told-shares.ts";

/** Own share of a plugin above which it is a key point, and shares of kinds of work from which on they are, percent. */
const pluginPct = 20;
const waitingPct = 15;
const categoryPct = 30;

/** What is kept of a profile: its heaviest owners, methods and kinds of work, and what stands out among them. */
export function summarise(document: ProfileDocument): SummaryBody {
  const { local_id, trigger, lag, capture, platform, jvm } = document;
  const tree = callTree(document);
  const owners = ownersOf(tree);
  const categories = categoriesOf(tree);
  const ticks = tickSamples(tree, document);
  return {
    schema: "service-profile-summary/1",
    local_id,
    trigger,
    created_at: toldTime(document.created_at),
    lag: lag && { kind: lag.kind, slow_ticks: lag.slow_ticks },
    window: {
      start: toldTime(capture.window_start),
      end: toldTime(capture.window_end),
      seconds: capture.window_seconds,
    },
    samples: { tick: ticks, total: document.samples.total },
    platform: {
      server_type: platform.server_type,
      server_version: platform.server_version,
      java_version: jvm.java_version,
    },
    warnings: [...new Set(warningsOf(tree, document).map(({ code }) => code))],
    owners: owners.slice(0, summaryOwners).map(({ owner, plugin, selfPct, totalPct }) => ({
      owner,
      plugin,
      self_pct: selfPct,
      total_pct: totalPct,
    })),
    owners_complete: areOwnersComplete(tree, owners.slice(summaryOwners)),
    methods: busiestMethods(tree),
    categories,
    key_points: [
      ...(hasFewSamples(tree) ? [point("few-samples", { tick_samples: ticks })] : []),
      ...pluginPoints(owners),
      ...categoryPoints(categories),
    ],
  };
}

/**
 * Whether no owner of 0.1 % of all ticks, anywhere on their stacks, is left out. Where that many samples are missing or
 * end in a cut stack, whoever is left out may have them.
 */
function areOwnersComplete({ held, cut, ticks }: CallTree, unlisted: readonly ToldOwner[]): boolean {
  const isListed = (samples: number): boolean => samples * 100 >= leastListedPct * ticks;
  return ticks > 0 && !isListed(ticks - held + cut) && !unlisted.some(({ total }) => isListed(total));
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

const pluginPoints = (owners: readonly ToldOwner[]): KeyPoint[] =>
  owners
    .filter(({ plugin, selfPct }) => plugin && selfPct > pluginPct)
    .map(({ owner, selfPct }) => point("plugin-share", { owner, pct: selfPct }));

/** Waiting is no work, and `other` no kind of it. */
function categoryPoints(categories: SummaryBody["categories"]): KeyPoint[] {
  const waiting = categories.filter(({ category, pct }) => category === "waiting" && pct >= waitingPct);
  const work = categories.filter(({ category }) => category !== "waiting" && category !== "other");
  const heaviestWork = work.slice(0, 1).filter(({ pct }) => pct >= categoryPct);
  return [
    ...waiting.map(({ category, pct }) => point("waiting-share", { category, pct })),
    ...heaviestWork.map(({ category, pct }) => point("category-share", { category, pct })),
  ];
}
