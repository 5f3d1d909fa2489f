import { pairBound } from "../statistics/long-sides.ts";
import { pairDifferences, shiftDifference, shiftInterval } from "../statistics/shift.ts";
import { sampleFields, type SeriesField } from "./fields.ts";
import type { PreliminaryShift } from "./preliminary-shift.ts";
import { unitOf } from "./series-field.ts";

/** Change it with every threshold and step of the rule. */
export const periodRuleVersion = "2";

/**
 * An interval of 99 % exists from five days a side on: one of the 252 ways to part ten days in two sets the
 * sides fully apart in one direction, 0.4 %.
 */
export const leastDaysOfSide = 5;

/**
 * The probability beyond each end of the interval: 99 % lie between. Stricter than the 90 % of benchmark
 * runs, because one answer judges up to twelve fields, and days in a row resemble each other.
 */
const beyondEnd = 0.005;

export const periodConfidence = 1 - 2 * beyondEnd;

/** A shift below this share of the larger median is no difference: the tie band of benchmark scores. */
const tieShare = 0.05;

/** A smaller share for tick rates: they end at 20, and half a tick a second is felt. */
const tickRateShare = 0.01;

/** A smaller shift is no difference either, in the unit of the field: nobody notices it (ours). */
const tieFloors: Readonly<Record<string, number>> = { ms: 0.5, "%": 1, MB: 16, s: 0.1, "": 0.5 };

/** Ticks a second. */
const tickRateFloor = 0.1;

/** More is better for tick rates alone. */
const isTickRate = (field: SeriesField): boolean => sampleFields[field].compare === "more";

function tieBandOf(field: SeriesField, medians: readonly [base: number, target: number]): number {
  const largest = Math.max(...medians.map(Math.abs));
  if (isTickRate(field)) return Math.max(tickRateFloor, tickRateShare * largest);
  return Math.max(tieFloors[unitOf(field)] ?? 0, tieShare * largest);
}

export const periodVerdicts = [
  "better",
  "worse",
  "higher",
  "lower",
  "no_difference",
  "preliminary_better",
  "preliminary_worse",
  "cannot_tell",
] as const;
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

/** Null if a side has too few days. */
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
  /** Null unless the verdict is `cannot_tell`. */
  readonly reason: PeriodReason | null;
  /** The least shift that counts as a difference, in the field's unit. */
  readonly tieBand: number;
}

/** The rule is OUR-CPR-06. */
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

/**
 * Of periods with fewer than five days a side. Only fields of which more or less is better get a word: nothing is
 * said of a difference that may be none.
 */
export function decidePreliminary(
  field: SeriesField,
  { shift, interval: [low, high] }: PreliminaryShift,
  medians: readonly [base: number, target: number],
): PeriodDecision {
  const tieBand = tieBandOf(field, medians);
  const word = wordOf(field, shift);
  const isClear = (low > 0 || high < 0) && Math.abs(shift) >= tieBand;
  if (isClear && (word === "better" || word === "worse"))
    return { verdict: `preliminary_${word}`, reason: null, tieBand };
  return { verdict: "cannot_tell", reason: isClear ? "too_few_days" : "within_noise", tieBand };
}

function wordOf(field: SeriesField, shift: number): PeriodVerdict {
  const { compare } = sampleFields[field];
  if (compare === "less" || compare === "more")
    return shift > 0 === (compare === "more") ? "better" : "worse";
  return shift > 0 ? "higher" : "lower";
}
