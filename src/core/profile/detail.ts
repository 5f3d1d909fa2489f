import { callTree, type CallTree } from "./call-tree.ts";
import { tickSamples, capturedTime, capturedWindow, totalSamples, warningsOf } from "./captured.ts";
import type { ProfileDocument } from "./document.ts";
import { heaviestPaths } from "./paths.ts";
import { heaviest, pctOf } from "./percent.ts";
import { detailMethods, detailOwners, type DetailBody } from "./profile-detail.ts";
import {
  heavierMethod,
  isPartial,
  isWhole,
  leftOutByTotal,
  methodsOf,
  ownerShares,
  type ListedMethod,
  type ListedOwner,
} from "./listed-shares.ts";

/** Methods listed for each owner. */
const topMethods = 3;

/**
 * `ownerFilter` (an exact name, else the only one that differs in case alone) narrows methods and stacks,
 * never the list of owners; an unknown name leaves none.
 */
export function detailOf(document: ProfileDocument, ownerFilter: string | null): DetailBody {
  const tree = callTree(document);
  const owners = ownerShares(tree);
  const methods = methodsOf(tree);
  const selected = ownerFilter === null ? null : matched(owners, ownerFilter);
  const ofAsked =
    ownerFilter === null ? methods : methods.filter((row) => row.ownerIndex === selected?.index);
  const isNobody = ownerFilter !== null && selected === null;
  const { paths, isTruncated } = isNobody
    ? { paths: [], isTruncated: false }
    : heaviestPaths(tree, selected?.index ?? null);
  const exact = isWhole(tree, document);
  return {
    ...capturedOf(document, tree),
    measured: document.measured && {
      ...document.measured,
      windows: document.measured.windows.map(inUtc).toReversed(),
    },
    owners_by_total: leftOutByTotal(owners.slice(detailOwners), tree.ticks),
    owners: shownOwners(tree, owners.slice(0, detailOwners), methods),
    owners_truncated: owners.length > detailOwners,
    owner_filter: ownerFilter === null ? null : { requested: ownerFilter, matched: selected?.owner ?? null },
    methods: heaviest(ofAsked, detailMethods, heavierMethod).map(({ method, owner, self, total }) => ({
      method,
      owner,
      self_pct: pctOf(self, tree.ticks),
      total_pct: pctOf(total, tree.ticks),
      exact,
    })),
    methods_truncated: ofAsked.length > detailMethods,
    paths,
    paths_truncated: isTruncated,
    tree_truncated: isPartial(tree, document),
  };
}

const inUtc = <Window extends { start: string; end: string }>(window: Window): Window => ({
  ...window,
  start: capturedTime(window.start) ?? window.start,
  end: capturedTime(window.end) ?? window.end,
});

type Captured =
  | "schema"
  | "engine"
  | "trigger"
  | "created_at"
  | "capture"
  | "lag"
  | "platform"
  | "jvm"
  | "samples"
  | "warnings";

/** As the sender reports it, times in UTC; `samples.tick` is the number that shares refer to. */
function capturedOf(document: ProfileDocument, tree: CallTree): Pick<DetailBody, Captured> {
  const { schema, engine, trigger, capture, lag, platform, jvm, samples } = document;
  const { start, end, seconds } = capturedWindow(document);
  return {
    schema,
    engine,
    trigger,
    created_at: capturedTime(document.created_at),
    capture: { ...capture, window_start: start, window_end: end, window_seconds: seconds },
    lag: lag && {
      ...lag,
      started_at: capturedTime(lag.started_at),
      detected_at: capturedTime(lag.detected_at),
    },
    platform,
    jvm,
    samples: { ...samples, tick: tickSamples(tree, document), total: totalSamples(tree, document) },
    warnings: warningsOf(tree, document),
  };
}

function matched(owners: readonly ListedOwner[], name: string): ListedOwner | null {
  const exact = owners.find(({ owner }) => owner === name);
  if (exact) return exact;
  const folded = name.toLowerCase();
  const alike = owners.filter(({ owner }) => owner.toLowerCase() === folded);
  return alike.length === 1 ? (alike[0] ?? null) : null;
}

function shownOwners(
  { ticks }: CallTree,
  owners: readonly ListedOwner[],
  methods: readonly ListedMethod[],
): DetailBody["owners"] {
  const methodsBy = new Map<number, ListedMethod[]>(owners.map(({ index }) => [index, []]));
  for (const method of methods) {
    if (method.self > 0) methodsBy.get(method.ownerIndex)?.push(method);
  }
  return owners.map(({ owner, plugin, index, selfPct, totalPct }) => ({
    owner,
    plugin,
    self_pct: selfPct,
    total_pct: totalPct,
    top_methods: heaviest(methodsBy.get(index) ?? [], topMethods, heavierMethod).map(({ method, self }) => ({
      method,
      pct: pctOf(self, ticks),
    })),
  }));
}
