import { z } from "zod";
import { Id } from "../id.ts";
import { Timestamp } from "../timestamp.ts";
import { periodReasons, periodVerdicts } from "./period-verdict.ts";
import { SeriesFieldName } from "./series-field.ts";

const measure = z.number().nullable();

/** `median` is that of a field's UTC days; `days` counts those with enough measurements. */
export const PeriodSide = z.object({ days: z.int(), median: measure });

/**
 * `hours` that both periods have in common bands; `same_hours` is false if not at the same hours of the day. The
 * noise is a share of the level, in percent; `noise_days` is null if it is assumed.
 */
const Preliminary = z.object({
  hours: z.number(),
  same_hours: z.boolean(),
  day_noise_percent: z.number(),
  hour_noise_percent: z.number(),
  noise_days: z.int().nullable(),
});

const Band = z.object({ band: z.string(), base: PeriodSide, target: PeriodSide });

/**
 * `shift` is target minus base, in `unit`; if `load_adjusted`, between days with as many players. `noise` is
 * half of its interval, `tie_band` the least shift that counts. Hours are UTC, from 0. `preliminary` is null
 * unless a side has too few days: then the shift is that between the same hours and player bands.
 */
export const FieldComparison = z.object({
  field: SeriesFieldName,
  unit: z.string(),
  verdict: z.enum(periodVerdicts),
  reason: z.enum(periodReasons).nullable(),
  base: PeriodSide,
  target: PeriodSide,
  load_adjusted: z.boolean(),
  days_compared: z.object({ base: z.int(), target: z.int() }),
  bands_compared: z.array(z.string()),
  shift: measure,
  shift_percent: measure,
  shift_unadjusted: measure,
  interval: z.array(z.number()).nullable(),
  confidence_percent: measure,
  noise: measure,
  tie_band: measure,
  preliminary: Preliminary.nullable(),
  hours: z.object({ base: z.array(measure), target: z.array(measure) }),
  bands: z.array(Band),
});
export type FieldComparison = z.infer<typeof FieldComparison>;

/**
 * The players at which the median tick takes `mspt_ms`; an open end of the interval is null. `at_least`: with too
 * few bands for a line, the most players with which it took less.
 */
const CapacityLimit = z.object({
  mspt_ms: z.number(),
  reached: z.enum(["measured", "beyond", "before", "at_least"]),
  players: measure,
  low: measure,
  high: measure,
});

/** `missing` says why there are no limits, or only lower bounds; `bands` what was measured. */
export const PeriodCapacity = z.object({
  field: z.enum(["mspt", "mspt_region_avg"]).nullable(),
  limits: z.array(CapacityLimit),
  bands: z.array(z.object({ band: z.string(), days: z.int(), players: z.number(), mspt: z.number() })),
  missing: z
    .object({
      code: z.enum(["ticks_not_measured", "players_not_measured", "too_few_bands"]),
      bands_needed: z.int(),
      days_needed: z.int(),
    })
    .nullable(),
});
export type PeriodCapacity = z.infer<typeof PeriodCapacity>;

/** `peak_hour` is the UTC hour with the most players. */
export const ComparedPeriod = z.object({
  from: Timestamp,
  to: Timestamp,
  points: z.int(),
  peak_hour: z.int().nullable(),
});

export const PeriodCaveat = z.enum(["players_not_measured", "weekdays_differ"]);
export type PeriodCaveat = z.infer<typeof PeriodCaveat>;

export const PeriodComparison = z.object({
  server_id: Id,
  rule_version: z.string(),
  base: ComparedPeriod,
  target: ComparedPeriod,
  fields: z.array(FieldComparison),
  capacity: z.object({ base: PeriodCapacity, target: PeriodCapacity }),
  caveats: z.array(PeriodCaveat),
  thresholds: z.object({
    days_per_side: z.int(),
    buckets_per_day: z.int(),
    buckets_per_band: z.int(),
    days_per_band: z.int(),
    confidence_percent: z.number(),
    preliminary_hours: z.number(),
    preliminary_confidence_percent: z.number(),
    assumed_day_noise_percent: z.number(),
    assumed_hour_noise_percent: z.number(),
    noise_days: z.int(),
  }),
});
export type PeriodComparison = z.infer<typeof PeriodComparison>;
