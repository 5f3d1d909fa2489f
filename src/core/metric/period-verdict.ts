import { pairBound } from "../statistics/long-sides.ts";
import { pairDifferences, shiftDifference, shiftInterval } from "../statistics/shift.ts";
import { sampleFields, type SeriesField } from "./fields.ts";
import { unitOf } from "./series-field.ts";

/** Changes whenever a threshold or a step of the rule does. */
export const periodRuleVersion = "1";

/**
 * Days that a side needs. With five a side the interval of 99 % is the first one to exist: one of 252 ways to part ten
 * days in two sets the sides fully apart in one direction, 0.4 %.
 */
export const leastDaysOfSide = 5;

/**
 * What may lie beyond each end of the interval: 0.5 %, so 99 % between. Stricter than the 90 % of the verdict on
 * benchmark runs, since one answer judges up to twelve fields, and days in a row resemble one another.
 */
const beyondEnd = 0.005;

/** The least level of the interval. */
export const periodConfidence = 1 - 2 * beyondEnd;

/** A shift below this share of the larger median is no difference: the tie band of benchmark scores. */
const tieShare = 0.05;

/** Of tick rates, which end at 20 and of which half a one is felt: 1 %. */
const tickRateShare = 0.01;

/** Nor is one below so much, in the unit of the field: what a small value moves by without anybody noticing (ours). */
const tieFloors: Readonly<Record<string, number>> = { ms: 0.5, "%": 1, MB: 16, s: 0.1, "": 0.5 };

/** The same of tick rates, ticks a second. */
const tickRateFloor = 0.1;

/** Only of tick rates is more better. */
const isTickRate = (field: SeriesField): boolean => sampleFields[field].compare === "more";

/** The least shift that counts as a difference, in the field's unit. */
function tieBandOf(field: SeriesField, medians: readonly [base: number, target: number]): number {
  const largest = Math.max(...medians.map(Math.abs));
  if (isTickRate(field)) return Math.max(tickRateFloor, tickRateShare * largest);
  return Math.max(tieFloors[unitOf(field)] ?? 0, tieShare * largest);
}

export const periodVerdicts = ["better", "worse", "higher", "lower", "no_difference", "cannot_tell"] as const;
export type PeriodVerdict = (typeof periodVerdicts)[number];

export const periodReasons = ["not_measured", "too_few_days", "loads_unlike", "within_noise"] as const;
export type PeriodReason = (typeof periodReasons)[number];

/** How far the target's days lie above the base's, in the field's unit. */
export interface PeriodShift {
  readonly shift: number;
  readonly interval: readonly [low: number, high: number];
  /** Of the interval, from 0 to 1: at least 0.99. */
  readonly confidence: number;
}

/** The shift of the days' values; null where a side has too few. */
export function shiftOfDays(base: readonly number[], target: readonly number[]): PeriodShift | null {
  if (Math.min(base.length, target.length) < leastDaysOfSide) return null;
  const { depth, beyond } = pairBound(beyondEnd, base.length, target.length);
  const differences = pairDifferences(base, target);
  return {
    shift: shiftDifference(differences),
    interval: shiftInterval(differences, depth),
    confidence: 1 - 2 * beyond,
  };
}

export interface PeriodDecision {
  readonly verdict: PeriodVerdict;
  /** Why no verdict is possible; null where something is. */
  readonly reason: PeriodReason | null;
  /** The least shift that counts as a difference, in the field's unit. */
  readonly tieBand: number;
}

/**
 * Says whether the target differs: its interval lies on one side of zero, and the shift reaches the tie band. No
 * difference is said when the whole interval lies within that band; for anything between there is no verdict.
 */
export function decideShift(
  field: SeriesField,
  { shift, interval: [low, high] }: PeriodShift,
  medians: readonly [base: number, target: number],
): PeriodDecision {
  const tieBand = tieBandOf(field, medians);
  const decision = (verdict: PeriodVerdict, reason: PeriodReason | null = null): PeriodDecision => ({
    verdict,
    reason,
    tieBand,
  });
  if ((low > 0 || high < 0) && Math.abs(shift) >= tieBand) return decision(wordOf(field, shift));
  if (low > -tieBand && high < tieBand) return decision("no_difference");
  return decision("cannot_tell", "within_noise");
}

function wordOf(field: SeriesField, shift: number): PeriodVerdict {
  const { compare } = sampleFields[field];
  if (compare === "less" || compare === "more")
    return shift > 0 === (compare === "more") ? "better" : "worse";
  return shift > 0 ? "higher" : "lower";
}
