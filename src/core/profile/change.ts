import type { ProfileComparison } from "./profile-comparison.ts";

/** Percentage points; a smaller change is `stable`. */
const stablePoints = 0.1;

/** Percent with two decimals. An unknown `pct` is null, and the share is then `atMost` at most. */
export interface Share {
  readonly pct: number | null;
  readonly atMost: number | null;
  /** Known to be on no stack. An own share of 0 is not enough: the code may call others. */
  readonly isAbsent: boolean;
}

/** The samples that each side's shares refer to; null if unknown. */
export interface TickSamples {
  readonly base: number | null;
  readonly target: number | null;
}

type Row = ProfileComparison["categories"][number];
export type Change = Omit<Row, "category">;

/** Two decimals, as shares are shown, so that a reader computes the same differences. */
export const roundedPoints = (points: number): number => Math.round(points * 100) / 100 + 0;

const difference = (base: number | null, target: number | null): number | null =>
  base === null || target === null ? null : roundedPoints(target - base);

/** Without ticks on a side there are no shares to compare. */
const haveTicks = ({ base, target }: TickSamples): boolean => base !== 0 && target !== 0;

/**
 * Two standard deviations of the difference of two independent proportions, in points; a proportion p of n
 * samples has the variance p(1 − p)/n. Null if a share or number of samples is unknown.
 */
function noise(base: Share, target: Share, ticks: TickSamples): number | null {
  const [one, other] = [variance(base.pct, ticks.base), variance(target.pct, ticks.target)];
  return one === null || other === null ? null : roundedPoints(2 * 100 * Math.sqrt(one + other));
}

function variance(pct: number | null, samples: number | null): number | null {
  if (pct === null || samples === null) return null;
  const share = Math.min(1, pct / 100);
  return (share * (1 - share)) / samples;
}

function statusOf(base: Share, target: Share, delta: number | null, range: Range): Change["status"] {
  if (delta === null) {
    if (range.min !== null && range.min > 0) return "up";
    return range.max !== null && range.max < 0 ? "down" : "unknown";
  }
  if (Math.abs(delta) < stablePoints) return "stable";
  if (base.isAbsent) return "appeared";
  if (target.isAbsent) return "disappeared";
  return delta > 0 ? "up" : "down";
}

interface Range {
  readonly min: number | null;
  readonly max: number | null;
}

/** An unknown share can be anything from 0 to `atMost`. */
function rangeOf(base: Share, target: Share): Range {
  return {
    min: difference(base.pct ?? base.atMost, target.pct ?? 0),
    max: difference(base.pct ?? 0, target.pct ?? target.atMost),
  };
}

const noRange: Range = { min: null, max: null };

/** Computed from the shares as shown, as a reader would. A range is given only if a side is unknown. */
export function changeOf(base: Share, target: Share, ticks: TickSamples): Change {
  const known = haveTicks(ticks);
  const delta = known ? difference(base.pct, target.pct) : null;
  const range = known && delta === null ? rangeOf(base, target) : noRange;
  const noisePoints = known ? noise(base, target, ticks) : null;
  return {
    base_pct: base.pct,
    target_pct: target.pct,
    base_at_most: base.atMost,
    target_at_most: target.atMost,
    delta_points: delta,
    delta_min: range.min,
    delta_max: range.max,
    noise_points: noisePoints,
    beyond_noise: delta === null || noisePoints === null ? null : Math.abs(delta) > noisePoints,
    status: statusOf(base, target, delta, range),
  };
}
