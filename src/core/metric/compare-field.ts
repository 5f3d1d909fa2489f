import { playerBands } from "../health/bands.ts";
import { median } from "../statistics/order.ts";
import { adjustedDays, bandDays, type LoadedField } from "./load-adjusted.ts";
import type { FieldComparison } from "./period-comparison.ts";
import type { DayMedian, PeriodDay } from "./period-days.ts";
import { decideShift, shiftOfDays, type PeriodReason, type PeriodShift } from "./period-verdict.ts";
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

export interface FieldPeriod extends LoadedField {
  readonly hours: readonly (number | null)[];
}

/** `hasPlayers`: both periods know their number of players. */
export function compareField(
  field: SeriesField,
  base: FieldPeriod,
  target: FieldPeriod,
  hasPlayers: boolean,
): FieldComparison {
  const isAdjusted = hasPlayers && sampleFields[field].compare !== "unadjusted";
  const [baseMedians, targetMedians] = [base, target].map(({ days }) => days.map((day) => day.median));
  const raw = { base: baseMedians ?? [], target: targetMedians ?? [], bands: [] };
  const compared = isAdjusted ? adjustedDays(base, target) : raw;
  const unadjusted = shiftOfDays(raw.base, raw.target);
  const shift = shiftOfDays(compared.base, compared.target);
  return {
    field,
    unit: unitOf(field),
    ...writtenShift(field, shift, [base.days, target.days], unadjusted !== null),
    base: sideOf(base.days),
    target: sideOf(target.days),
    load_adjusted: isAdjusted,
    days_compared: { base: compared.base.length, target: compared.target.length },
    bands_compared: compared.bands.map((band) => playerBands[band]?.name ?? ""),
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

/** `hasDays`: both sides have enough days, whatever the number of players. */
function writtenShift(
  field: SeriesField,
  shift: PeriodShift | null,
  [base, target]: readonly [readonly PeriodDay[], readonly PeriodDay[]],
  hasDays: boolean,
): WrittenShift {
  if (shift === null) {
    const reason: PeriodReason = hasDays
      ? "loads_unlike"
      : base.length + target.length === 0
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
  const [before, after] = [base, target].map((days) => median(days.map((day) => day.median)));
  const decision = decideShift(field, shift, [before ?? 0, after ?? 0]);
  const [low, high] = shift.interval;
  return {
    verdict: decision.verdict,
    reason: decision.reason,
    shift: thousandths(shift.shift),
    shift_percent: before ? thousandths((100 * shift.shift) / before) : null,
    interval: [thousandths(low), thousandths(high)],
    confidence_percent: Math.floor(shift.confidence * 1000) / 10,
    noise: thousandths((high - low) / 2),
    tie_band: thousandths(decision.tieBand),
  };
}
