import { playerBands } from "../health/bands.ts";
import { median } from "../statistics/order.ts";
import { adjustedDays, bandDays, type LoadedField } from "./load-adjusted.ts";
import type { FieldComparison } from "./period-comparison.ts";
import { dayNoise, type DayNoise } from "./day-noise.ts";
import { medianOfAll, type DayMedian, type FieldBuckets } from "./period-days.ts";
import {
  decidePreliminary,
  decideShift,
  shiftOfDays,
  type PeriodDecision,
  type PeriodReason,
  type PeriodShift,
} from "./period-verdict.ts";
import { preliminaryConfidence, preliminaryShift, type PreliminaryShift } from "./preliminary-shift.ts";
import { sampleFields, type SeriesField } from "./fields.ts";
import { unitOf } from "./series-field.ts";

/** Rounds both signs alike: swapped periods give the same number with the other sign. */
export const thousandths = (value: number): number =>
  (Math.sign(value) * Math.round(Math.abs(value) * 1000)) / 1000 + 0;

const writtenOrNull = (value: number | null): number | null => (value === null ? null : thousandths(value));

const sideOf = (days: readonly DayMedian[]): FieldComparison["base"] => ({
  days: days.length,
  median: days.length === 0 ? null : thousandths(median(days.map((day) => day.median))),
});

/** The median of the days, of a period without a whole one that of its five minutes. */
const middleOf = ({ days, buckets }: LoadedField): number | null =>
  days.length === 0 ? medianOfAll(buckets) : median(days.map((day) => day.median));

export interface FieldPeriod extends LoadedField {
  readonly hours: readonly (number | null)[];
}

export interface ComparedLoad {
  /** Both periods know their number of players. */
  readonly hasPlayers: boolean;
  /** The days before both, for their noise; null if they were not read. */
  readonly history: FieldBuckets | null;
}

export function compareField(
  field: SeriesField,
  base: FieldPeriod,
  target: FieldPeriod,
  { hasPlayers, history }: ComparedLoad,
): FieldComparison {
  const isAdjusted = hasPlayers && sampleFields[field].compare !== "unadjusted";
  const [baseMedians, targetMedians] = [base, target].map(({ days }) => days.map((day) => day.median));
  const raw = { base: baseMedians ?? [], target: targetMedians ?? [], bands: [] };
  const compared = isAdjusted ? adjustedDays(base, target) : raw;
  const unadjusted = shiftOfDays(raw.base, raw.target);
  const shift = shiftOfDays(compared.base, compared.target);
  const medians = [middleOf(base), middleOf(target)] as const;
  const noise = dayNoise(shift === null ? history : null, isAdjusted);
  const early = shift === null ? preliminaryShift([base.buckets, target.buckets], isAdjusted, noise) : null;
  const bands = early === null ? compared.bands : early.bands;
  return {
    field,
    unit: unitOf(field),
    ...(shift !== null
      ? writtenShift(shift, shift.confidence, medians, decideShift(field, shift, sure(medians)))
      : early !== null
        ? writtenShift(early, preliminaryConfidence, medians, decidePreliminary(field, early, sure(medians)))
        : unsaid(unadjusted !== null, medians)),
    preliminary: early && preliminaryOf(early, noise),
    base: { ...sideOf(base.days), median: writtenOrNull(medians[0]) },
    target: { ...sideOf(target.days), median: writtenOrNull(medians[1]) },
    load_adjusted: isAdjusted,
    days_compared: { base: compared.base.length, target: compared.target.length },
    bands_compared: bands.map((band) => playerBands[band]?.name ?? ""),
    shift_unadjusted: writtenOrNull(unadjusted?.shift ?? null),
    hours: { base: base.hours.map(writtenOrNull), target: target.hours.map(writtenOrNull) },
    bands: playerBands.flatMap(({ name }, band) => {
      const [earlier, later] = [bandDays(base.days, band), bandDays(target.days, band)];
      if (earlier.length + later.length === 0) return [];
      return [{ band: name, base: sideOf(earlier), target: sideOf(later) }];
    }),
  };
}

type WrittenShift = Pick<
  FieldComparison,
  "verdict" | "reason" | "shift" | "shift_percent" | "interval" | "confidence_percent" | "noise" | "tie_band"
>;

type Medians = readonly [base: number | null, target: number | null];

const sure = ([base, target]: Medians): readonly [number, number] => [base ?? 0, target ?? 0];

/** `hasDays`: both sides have enough days, whatever the number of players. */
function unsaid(hasDays: boolean, [base, target]: Medians): WrittenShift {
  const reason: PeriodReason = hasDays
    ? "loads_unlike"
    : base === null && target === null
      ? "not_measured"
      : "too_few_days";
  return {
    verdict: "cannot_tell",
    reason,
    shift: null,
    shift_percent: null,
    interval: null,
    confidence_percent: null,
    noise: null,
    tie_band: null,
  };
}

function writtenShift(
  { shift, interval: [low, high] }: Pick<PeriodShift, "shift" | "interval">,
  confidence: number,
  [before]: Medians,
  { verdict, reason, tieBand }: PeriodDecision,
): WrittenShift {
  return {
    verdict,
    reason,
    shift: thousandths(shift),
    shift_percent: before ? thousandths((100 * shift) / before) : null,
    interval: [thousandths(low), thousandths(high)],
    confidence_percent: Math.floor(confidence * 1000) / 10,
    noise: thousandths((high - low) / 2),
    tie_band: thousandths(tieBand),
  };
}

const preliminaryOf = (
  { hours, hoursMatched }: PreliminaryShift,
  { day, hour, days }: DayNoise,
): FieldComparison["preliminary"] => ({
  hours: thousandths(hours),
  same_hours: hoursMatched,
  day_noise_percent: Math.round(day * 1000) / 10,
  hour_noise_percent: Math.round(hour * 1000) / 10,
  noise_days: days,
});
