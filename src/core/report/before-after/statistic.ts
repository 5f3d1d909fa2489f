import { ascending, median, middle } from "../../statistics/order.ts";
import { atMostProbability, boundDepth } from "../../statistics/rank-sum.ts";
import {
  eitherProbability,
  exceeds,
  pairRatios,
  reaches,
  shareOfLarger,
  shiftInterval,
  shiftRatio,
} from "../../statistics/shift.ts";
import { beforeAfterThresholds as thresholds, boundAlpha } from "./thresholds.ts";

export type BeforeAfterDecision = "improved" | "degraded" | "no_material_change" | "inconclusive";
export type StatisticRefusal = "runs_too_spread" | "shift_within_tie_band" | "gap_too_small" | "runs_overlap";

/** `shift` and `interval` are ratios after / before. */
export interface Effect {
  readonly shift: number;
  readonly interval: readonly [low: number, high: number];
  /** Of the interval, from 0 to 1. */
  readonly confidence: number;
  readonly pTwoSided: number;
  readonly pairs: number;
  readonly pairsHigher: number;
}

export interface Judgement {
  readonly decision: BeforeAfterDecision;
  /** Empty if something is concluded. */
  readonly refusals: readonly StatisticRefusal[];
  readonly effect: Effect;
}

const tieBand = thresholds.tie_band_relative_percent / 100;
const leastGap = thresholds.min_gap_percent / 100;
const mostSpread = thresholds.max_spread_percent / 100;

/** As a share of the largest value. */
export const spreadOf = (values: readonly number[]): number =>
  (Math.max(...values) - Math.min(...values)) / Math.max(...values);

function effectOf(before: readonly number[], after: readonly number[]): Effect {
  const ratios = pairRatios(before, after);
  const [m, n] = [before.length, after.length];
  const depth = boundDepth(boundAlpha, m, n);
  return {
    shift: shiftRatio(ratios),
    interval: shiftInterval(ratios, depth),
    confidence: 1 - 2 * atMostProbability(depth - 1, m, n),
    pTwoSided: eitherProbability(before, after),
    pairs: ratios.length,
    pairsHigher: ratios.filter((ratio) => ratio > 1).length,
  };
}

/** The median distance of all pairs, score points. */
function pointsApart(before: readonly number[], after: readonly number[]): number {
  const [low, high] = middle(ascending(before.flatMap((base) => after.map((value) => value - base))));
  return Math.abs(low + high) / 2;
}

/**
 * Each side has at least three scores, all above 0, in any order. A change is concluded if the interval
 * excludes no change, its near end lies beyond half the tie band, and the shift reaches the whole band.
 */
export function judgeScores(before: readonly number[], after: readonly number[]): Judgement {
  const effect = effectOf(before, after);
  const refuse = (...refusals: StatisticRefusal[]): Judgement => ({
    decision: "inconclusive",
    refusals,
    effect,
  });
  if (exceeds(spreadOf(before), mostSpread) || exceeds(spreadOf(after), mostSpread))
    return refuse("runs_too_spread");

  const [low, high] = effect.interval;
  const isApart = low > 1 || high < 1;
  const gap = Math.abs(shareOfLarger(low > 1 ? low : high));
  const isWide = exceeds(gap, leastGap);
  const isShifted =
    reaches(Math.abs(shareOfLarger(effect.shift)), tieBand) &&
    reaches(pointsApart(before, after), thresholds.tie_band_absolute);
  if (isApart && isWide && isShifted)
    return { decision: low > 1 ? "improved" : "degraded", refusals: [], effect };

  const isInside = (ratio: number): boolean => !reaches(Math.abs(shareOfLarger(ratio)), tieBand);
  if (isInside(low) && isInside(high)) return { decision: "no_material_change", refusals: [], effect };
  if (!isApart) return refuse("runs_overlap");
  return refuse(
    ...(isShifted ? [] : ["shift_within_tie_band" as const]),
    ...(isWide ? [] : ["gap_too_small" as const]),
  );
}

/** Only values above 0 count; without any, all members are null. `spread` is a share of the largest. */
export function summaryOf(values: readonly (number | null)[]) {
  const measured = values.flatMap((value) => (value !== null && value > 0 ? [value] : []));
  if (measured.length === 0) return { median: null, min: null, max: null, spread: null };
  return {
    median: median(measured),
    min: Math.min(...measured),
    max: Math.max(...measured),
    spread: spreadOf(measured),
  };
}
