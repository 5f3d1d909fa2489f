import { boundDepth } from "../../statistics/rank-sum.ts";
import { pairRatios, shiftInterval } from "../../statistics/shift.ts";
import { median } from "../../statistics/order.ts";
import {
  leastBaseline,
  lowerBoundAlpha,
  regressionThresholds as thresholds,
  slowMinPoints,
} from "./thresholds.ts";
import { changeRatio, isDrop, noiseOf, walk } from "./walk.ts";

export type RegressionVerdictWord = "regression" | "stable" | "undecidable";
export type UndecidableReason =
  | "no_runs"
  | "stale"
  | "not_enough_runs"
  | "mixed_conditions"
  | "awaiting_confirmation"
  | "too_noisy"
  | "trend_down"
  | "drop_not_excluded";

/** Ratios are of recent to baseline. */
export interface Decision<P> {
  readonly verdict: RegressionVerdictWord;
  readonly reason: UndecidableReason | null;
  readonly baseline: readonly P[];
  readonly recent: readonly P[];
  /** Null while undecidable. */
  readonly ratio: number | null;
  /** The ratio is at least this in 95 % of cases or more; null if there are too few points to tell. */
  readonly lowerBound: number | null;
}

interface Valued {
  readonly value: number;
}

const band = thresholds.band_percent / 100;
const valuesOf = (points: readonly Valued[]): number[] => points.map(({ value }) => value);

/** Compares the last points with the baseline: distribution-free, one-sided, 95 %. */
function lowerBoundOf(baseline: readonly number[], recent: readonly number[]): number | null {
  const last = recent.slice(-thresholds.recent_points);
  if (baseline.length === 0 || last.length === 0) return null;
  const depth = boundDepth(lowerBoundAlpha, baseline.length, last.length);
  return depth === 0 ? null : shiftInterval(pairRatios(baseline, last), depth)[0];
}

/** Finds a drop too slow for single points: compares later and earlier points at three splits. */
const trendsDown = (values: readonly number[]): boolean =>
  [1, 2, 3].some((quarter) => {
    const split = Math.floor((values.length * quarter) / 4);
    const [earlier, later] = [values.slice(0, split), values.slice(split)];
    return (
      Math.min(earlier.length, later.length) >= leastBaseline && isDrop(changeRatio(earlier, later), band)
    );
  });

/** Why a series without a drop is not stable; null if it is. */
function doubt(
  values: readonly number[],
  holdsNow: boolean,
  lowerBound: number | null,
): UndecidableReason | null {
  const recent = values.slice(-thresholds.recent_points);
  const earlier = values.slice(0, -thresholds.recent_points);
  if (holdsNow) return "awaiting_confirmation";
  if (values.length < slowMinPoints) return "not_enough_runs";
  if (noiseOf(earlier) > thresholds.max_noise_percent / 100) return "too_noisy";
  if (trendsDown(values)) return "trend_down";
  // Undecidable is not stable: a drop must be positively excluded.
  const isExcluded =
    !isDrop(changeRatio(earlier, recent), band) &&
    lowerBound !== null &&
    !isDrop(lowerBound, thresholds.exclude_drop_percent / 100);
  return isExcluded ? null : "drop_not_excluded";
}

/** Judges points with values above 0, oldest first. */
export function decide<P extends Valued>(points: readonly P[]): Decision<P> {
  const walked = walk(points);
  const isRegression = walked.state === "regression";
  const recentPoints = thresholds.recent_points;
  const baseline = isRegression ? walked.baseline : walked.pool.slice(0, -recentPoints);
  const recent = isRegression ? walked.drop : walked.pool.slice(-recentPoints);
  const [before, now] = [valuesOf(baseline), valuesOf(recent)];
  const lowerBound = lowerBoundOf(before, now);
  const undecidable = (reason: UndecidableReason): Decision<P> => ({
    verdict: "undecidable",
    reason,
    baseline,
    recent,
    ratio: null,
    lowerBound,
  });
  if (points.length === 0) return undecidable("no_runs");
  if (isRegression) {
    if (baseline.length < leastBaseline) return undecidable("not_enough_runs");
    const ratio = median(now) / median(before);
    return { verdict: "regression", reason: null, baseline, recent, ratio, lowerBound };
  }
  if (walked.pool.length < thresholds.min_points) return undecidable("not_enough_runs");
  const reason = doubt(valuesOf(walked.pool), walked.holdsNow, lowerBound);
  if (reason) return undecidable(reason);
  return { verdict: "stable", reason: null, baseline, recent, ratio: changeRatio(before, now), lowerBound };
}
