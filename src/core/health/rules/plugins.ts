import { changeOf } from "../../profile/change.ts";
import type { ProfileRecord } from "../../profile/records.ts";
import { readingOfSummary, summaryShares, type OwnerShare, type ShareList } from "../../profile/shares.ts";
import { profileTime } from "../../profile/show.ts";
import { captureProfileStep, compareProfilesStep, readProfileStep } from "../next-steps.ts";
import { pluginRise, pluginShare, profileMs } from "../thresholds.ts";
import { evidenceFigure, oneDecimal, type HealthRule } from "./rule.ts";

export const pluginHeavy: HealthRule = (facts) => {
  const { newestProfile: profile, to } = facts;
  if (profile === null || profileTime(profile) < to - profileMs) return null;
  // Owners are in the order of their own shares.
  const heaviest = profile.summary.owners.find(({ plugin }) => plugin);
  if (!heaviest || heaviest.self_pct < pluginShare) return null;
  const share = oneDecimal(heaviest.self_pct);
  return {
    code: "plugin_heavy",
    severity: "info",
    raisesTo: "warning",
    subject: heaviest.owner,
    since: null,
    evidence: [evidenceFigure("plugin_self_share", share, "percent", pluginShare, profileTime(profile))],
    next: [readProfileStep(facts)],
    text: `One plugin takes ${share} % of the tick time in the newest profile.`,
  };
};

interface Rise {
  readonly owner: string;
  readonly from: number;
  readonly to: number;
  readonly points: number;
}

/**
 * The plugin whose share rose most beyond the noise of both profiles. If the former profile does not list it,
 * the largest share that it may have had counts.
 */
function greatestRise(former: ProfileRecord, newest: ProfileRecord): Rise | null {
  const [before, after] = [summaryShares(former.summary), summaryShares(newest.summary)];
  const ticks = { base: before.ticks, target: after.ticks };
  const shareIn = ({ items, unlisted }: ShareList<OwnerShare>, owner: string): number | null =>
    items.get(owner)?.pct ?? unlisted.pct ?? unlisted.atMost;
  const known = (pct: number) => ({ pct, atMost: null, isAbsent: false });
  const rises = [...after.owners.items.values()].flatMap(({ owner, plugin, pct }): Rise[] => {
    const from = shareIn(before.owners, owner);
    if (!plugin || from === null) return [];
    const { delta_points: points, beyond_noise: isReal } = changeOf(known(from), known(pct), ticks);
    return points !== null && isReal === true && points >= pluginRise
      ? [{ owner, from, to: pct, points }]
      : [];
  });
  return rises.toSorted((one, other) => other.points - one.points)[0] ?? null;
}

export const pluginGrew: HealthRule = (facts) => {
  const { newestProfile: newest, formerProfile: former } = facts;
  if (newest === null || former === null) return null;
  // By other rules of counting a plugin has another share without having grown.
  if (readingOfSummary(newest.summary) !== readingOfSummary(former.summary)) return null;
  const rise = greatestRise(former, newest);
  if (rise === null) return null;
  const [from, to, points] = [rise.from, rise.to, rise.points].map(oneDecimal);
  return {
    code: "plugin_grew",
    severity: "warning",
    subject: rise.owner,
    since: null,
    evidence: [
      evidenceFigure("plugin_share_rise", points ?? 0, "percent", pluginRise, profileTime(newest)),
      evidenceFigure("plugin_self_share", to ?? 0, "percent", null, profileTime(newest)),
      evidenceFigure("plugin_self_share_before", from ?? 0, "percent", null, profileTime(former)),
    ],
    next: [compareProfilesStep(facts, former, newest), readProfileStep(facts), captureProfileStep(facts)],
    text: `One plugin takes ${to} % of the tick time in the newest profile, and took ${from} % before.`,
  };
};
