import type { ProfileComparison } from "./profile-comparison.ts";
import type { KeyPoint, SummaryBody } from "./profile.ts";
import type { Shares } from "./shares.ts";

const isSame = (one: KeyPoint, other: KeyPoint): boolean =>
  one.code === other.code && one.owner === other.owner && one.category === other.category;

/** A resolved point with its values in the newer profile; null if unknown. */
function nowOf(point: KeyPoint, ticks: number | null, { owners, categories }: Shares): KeyPoint {
  const { owner, category } = point;
  const share =
    (owner === null ? null : (owners.items.get(owner) ?? owners.unlisted)) ??
    (category === null ? null : (categories.items.get(category) ?? categories.unlisted));
  return {
    ...point,
    pct: point.pct === null ? null : (share?.pct ?? null),
    tick_samples: point.tick_samples === null ? null : ticks,
  };
}

/** All points have the values of the newer profile; the share of a resolved point may have grown. */
export function keyPointChanges(
  base: readonly KeyPoint[],
  target: SummaryBody,
  shares: Shares,
): ProfileComparison["key_points"] {
  const isIn = (points: readonly KeyPoint[]) => (point: KeyPoint) =>
    points.some((other) => isSame(point, other));
  const [before, after] = [isIn(base), isIn(target.key_points)];
  return {
    appeared: target.key_points.filter((point) => !before(point)),
    resolved: base.filter((point) => !after(point)).map((point) => nowOf(point, target.samples.tick, shares)),
    persisting: target.key_points.filter(before),
  };
}
