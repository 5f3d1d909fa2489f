import { playerBands } from "../health/bands.ts";
import { dayMs, toTimestamp, type Instant } from "../time.ts";
import {
  capacityBands,
  bandMedians,
  capacityOf,
  leastBandsOfCapacity,
  leastDaysOfCapacityBand,
  lowerBounds,
  type CapacityPoint,
} from "./capacity.ts";
import { compareField, thousandths, type FieldPeriod } from "./compare-field.ts";
import { assumedNoise, leastNoiseDays, mostNoiseDays } from "./day-noise.ts";
import { leastDaysOfBand } from "./load-adjusted.ts";
import { bandsOf, type PeriodBuckets } from "./period-buckets.ts";
import type { FieldComparison, PeriodCapacity, PeriodCaveat, PeriodComparison } from "./period-comparison.ts";
import {
  daysOf,
  hourProfile,
  leastBucketsOfBand,
  leastBucketsOfDay,
  medianOfAll,
  peakHour,
} from "./period-days.ts";
import { leastPreliminaryHours, preliminaryConfidence } from "./preliminary-shift.ts";
import { leastDaysOfSide, periodConfidence, periodRuleVersion } from "./period-verdict.ts";
import type { SeriesField } from "./fields.ts";

/** Adds the fields that every comparison needs: the number of players and the tick time. */
export const fieldsToRead = (fields: readonly SeriesField[]): SeriesField[] => [
  ...new Set<SeriesField>([...fields, "player_count", "mspt", "mspt_region_avg"]),
];

/** One period; each field is grouped once. */
class ComparedSide {
  readonly buckets: PeriodBuckets;
  readonly #players: Float64Array;
  readonly #bands: Uint8Array;
  readonly #fields = new Map<SeriesField, FieldPeriod>();

  constructor(buckets: PeriodBuckets) {
    this.buckets = buckets;
    this.#players = buckets.means("player_count");
    this.#bands = bandsOf(this.#players);
  }

  field(field: SeriesField): FieldPeriod {
    const known = this.#fields.get(field);
    if (known) return known;
    const { first } = this.buckets;
    const buckets = { values: this.buckets.means(field), players: this.#players, bands: this.#bands, first };
    const days = daysOf(buckets);
    const players = field === "player_count" ? days : this.field("player_count").days;
    const made = { buckets, days, players, hours: hourProfile(buckets) };
    this.#fields.set(field, made);
    return made;
  }

  get hasPlayers(): boolean {
    return medianOfAll(this.field("player_count").buckets) !== null;
  }

  /** The tick time, on a platform with regions the mean of their tick times; null if not measured. */
  get tickField(): "mspt" | "mspt_region_avg" | null {
    for (const field of ["mspt", "mspt_region_avg"] as const)
      if (medianOfAll(this.field(field).buckets) !== null) return field;
    return null;
  }

  show(): PeriodComparison["base"] {
    const { from, to, points } = this.buckets;
    const peak_hour = peakHour(this.field("player_count").hours);
    return { from: toTimestamp(from), to: toTimestamp(to), points, peak_hour };
  }

  capacity(): PeriodCapacity {
    const field = this.tickField;
    const players = this.field("player_count").days;
    const bands = field === null ? [] : capacityBands(this.field(field).days, players);
    const code =
      field === null
        ? "ticks_not_measured"
        : !this.hasPlayers
          ? "players_not_measured"
          : bands.length < leastBandsOfCapacity
            ? "too_few_bands"
            : null;
    return {
      field,
      limits: capacityLimits(
        code === null
          ? capacityOf(bands)
          : field !== null && code === "too_few_bands"
            ? lowerBounds(bandMedians(this.field(field).buckets))
            : [],
      ),
      bands: bands.map(({ band, days, players, median }) => ({
        band: playerBands[band]?.name ?? "",
        days,
        players: tenths(players),
        mspt: thousandths(median),
      })),
      missing: code && { code, bands_needed: leastBandsOfCapacity, days_needed: leastDaysOfCapacityBand },
    };
  }
}

const tenths = (value: number): number => Math.round(value * 10) / 10;
const tenthsOrNull = (value: number | null): number | null => (value === null ? null : tenths(value));

const capacityLimits = (points: readonly CapacityPoint[]): PeriodCapacity["limits"] =>
  points.map(({ limitMs, reached, players, low, high }) => ({
    mspt_ms: limitMs,
    reached,
    players: tenthsOrNull(players),
    low: tenthsOrNull(low),
    high: tenthsOrNull(high),
  }));

const weekMs = 7 * dayMs;

/** Whether both have each weekday as often: whole weeks each, or the same days of other weeks. */
function haveLikeWeekdays(base: PeriodBuckets, target: PeriodBuckets): boolean {
  const [earlier, later] = [base.to - base.from, target.to - target.from];
  if (earlier % weekMs === 0 && later % weekMs === 0) return true;
  return earlier === later && (target.from - base.from) % weekMs === 0;
}

/**
 * The days before both periods, from which the noise of a server is known; null if both are long enough to be
 * compared by their own days.
 */
export function noiseSpan(
  base: Pick<PeriodBuckets, "from" | "to">,
  target: Pick<PeriodBuckets, "from" | "to">,
  retainedFrom: Instant,
): { readonly from: Instant; readonly to: Instant } | null {
  const shortest = Math.min(base.to - base.from, target.to - target.from);
  if (shortest >= (leastDaysOfSide + 1) * dayMs) return null;
  const to = Math.min(base.from, target.from);
  const from = Math.max(retainedFrom, to - mostNoiseDays * dayMs);
  return from < to ? { from, to } : null;
}

/** Runs in steps. The unit is the UTC day: measurements within a day are too alike to count one by one. */
export function* periodComparison(
  serverId: string,
  fields: readonly SeriesField[],
  basePeriod: PeriodBuckets,
  targetPeriod: PeriodBuckets,
  history: PeriodBuckets | null = null,
): Generator<void, PeriodComparison> {
  const [base, target] = [new ComparedSide(basePeriod), new ComparedSide(targetPeriod)];
  // Groups each field in a step of its own; later calls find it grouped.
  for (const side of [base, target])
    for (const field of fieldsToRead(fields)) {
      yield;
      side.field(field);
    }
  const hasPlayers = base.hasPlayers && target.hasPlayers;
  const before = history && new ComparedSide(history);
  const compared: FieldComparison[] = [];
  for (const field of fields) {
    yield;
    const load = { hasPlayers, history: before && before.field(field).buckets };
    compared.push(compareField(field, base.field(field), target.field(field), load));
  }
  yield;
  const capacity = { base: base.capacity(), target: target.capacity() };
  const caveats: PeriodCaveat[] = [
    ...(hasPlayers ? [] : ["players_not_measured" as const]),
    ...(haveLikeWeekdays(basePeriod, targetPeriod) ? [] : ["weekdays_differ" as const]),
  ];
  return {
    server_id: serverId,
    rule_version: periodRuleVersion,
    base: base.show(),
    target: target.show(),
    fields: compared,
    capacity,
    caveats,
    thresholds: {
      days_per_side: leastDaysOfSide,
      buckets_per_day: leastBucketsOfDay,
      buckets_per_band: leastBucketsOfBand,
      days_per_band: leastDaysOfBand,
      confidence_percent: periodConfidence * 100,
      preliminary_hours: leastPreliminaryHours,
      preliminary_confidence_percent: preliminaryConfidence * 100,
      assumed_day_noise_percent: assumedNoise.day * 100,
      assumed_hour_noise_percent: assumedNoise.hour * 100,
      noise_days: leastNoiseDays,
    },
  };
}
