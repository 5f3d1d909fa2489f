import { durationFactor, gcFactor, stabilityBonus, synergyBonus } from "./multipliers.ts";
import { geometricMean, scoreParts, type Assumptions } from "./parts.ts";
import type { ReportPayload } from "./payload.ts";
import { algorithmVersion } from "./reference.ts";
import type { ReportDetail } from "./report.ts";

export type Scoring = Pick<
  ReportDetail,
  "scores" | "sub_scores" | "multipliers" | "rank_badge" | "algorithm_version"
> & { readonly assumptions: Assumptions };

// Lowest total of each badge, highest first.
const badges = [
  [1900, "netherite"],
  [1300, "diamond"],
  [900, "gold"],
  [600, "iron"],
  [300, "stone"],
  [1, "wood"],
] as const;

/** `total` is rounded; null for 0, which is no score. */
export const rankBadge = (total: number): string | null =>
  badges.find(([lowest]) => total >= lowest)?.[1] ?? null;

// 0 is reserved for "absent", so a measured score never rounds down to it.
const written = (score: number): number => (score > 0 ? Math.max(1, Math.round(score)) : 0);

const threeDecimals = (factor: number | null): number | null =>
  factor === null ? null : Math.round(factor * 1000) / 1000;

const unscored = (): Scoring => ({
  scores: { total: null, single_core: null, hardware: null, gameplay: null },
  sub_scores: {
    memory: null,
    disk: null,
    multi_core: null,
    exploration: null,
    entities: null,
    mechanics: null,
  },
  multipliers: { synergy_bonus: null, duration: null, gc: null, stability_bonus: null },
  rank_badge: null,
  algorithm_version: null,
  assumptions: { memoryLatency: false, random4k: false },
});

/**
 * The reference host scores 1000, and twice as fast is twice the score. A score is 0 if a test it needs is
 * absent; a `custom` run has only nulls. Only returned values are rounded.
 */
export function scoreReport(payload: ReportPayload): Scoring {
  if (payload.benchmark_mode === "custom") return unscored();
  const parts = scoreParts(payload);
  const { singleCore, multiCore, memory, disk, exploration, entities, mechanics, assumptions } = parts;
  const hardware = geometricMean([
    [singleCore, 0.4],
    [multiCore, 0.2],
    [memory, 0.2],
    [disk, 0.2],
  ]);
  const gameplay = geometricMean([
    [exploration, 0.35],
    [entities, 0.4],
    [mechanics, 0.25],
  ]);
  const synergy = synergyBonus([singleCore, multiCore, memory, disk], hardware);
  const duration = durationFactor(payload);
  const gc = gcFactor(payload);
  const stability = stabilityBonus(payload);
  const factors = (synergy ?? 1) * (duration ?? 1) * (gc ?? 1) * (stability ?? 1);
  const total = written(Math.sqrt(hardware * gameplay) * factors);
  return {
    scores: {
      total,
      single_core: written(singleCore),
      hardware: written(hardware),
      gameplay: written(gameplay),
    },
    sub_scores: {
      memory: written(memory),
      disk: written(disk),
      multi_core: written(multiCore),
      exploration: written(exploration),
      entities: written(entities),
      mechanics: written(mechanics),
    },
    multipliers: {
      synergy_bonus: threeDecimals(synergy),
      duration: threeDecimals(duration),
      gc: threeDecimals(gc),
      stability_bonus: threeDecimals(stability),
    },
    rank_badge: rankBadge(total),
    algorithm_version: algorithmVersion,
    assumptions,
  };
}
