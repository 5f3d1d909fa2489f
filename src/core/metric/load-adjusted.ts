import { playerBands } from "../health/bands.ts";
import { median } from "../statistics/order.ts";
import {
  dayBounds,
  leastBucketsOfDay,
  medianOf,
  type DayMedian,
  type FieldBuckets,
  type PeriodDay,
} from "./period-days.ts";

/** A band is compared when both periods have it on so many days: fewer have no middle one. */
export const leastDaysOfBand = 3;

/** The medians of the days that have a band. */
export const bandDays = (days: readonly PeriodDay[], band: number): DayMedian[] =>
  days.flatMap(({ bands }) => bands[band] ?? []);

/** What one field takes with so many players, in one band. */
interface LoadPoint {
  readonly band: number;
  readonly players: number;
  readonly value: number;
}

/** One field in one period, with its days and those of the number of players. */
export interface LoadedField {
  readonly buckets: FieldBuckets;
  readonly days: readonly PeriodDay[];
  readonly players: readonly PeriodDay[];
}

function loadPoints({ days, players }: LoadedField): LoadPoint[] {
  return playerBands.flatMap((_, band) => {
    const [values, present] = [bandDays(days, band), bandDays(players, band)];
    if (Math.min(values.length, present.length) < leastDaysOfBand) return [];
    const [value, count] = [values, present].map((each) => median(each.map((day) => day.median)));
    return [{ band, players: count ?? 0, value: value ?? 0 }];
  });
}

/**
 * The value on the line through the points, with so many players; before the first and behind the last point its
 * outermost pieces go on, for within a band more players take more as well.
 */
function onLine(points: readonly LoadPoint[], players: number): number {
  let right = 1;
  while (right < points.length - 1 && (points[right]?.players ?? 0) < players) right += 1;
  const [left, next] = [points[right - 1], points[right]];
  if (!left) return Number.NaN;
  if (!next) return left.value;
  return left.value + ((next.value - left.value) * (players - left.players)) / (next.players - left.players);
}

export interface AdjustedDays {
  readonly base: readonly number[];
  readonly target: readonly number[];
  /** The places of the bands that both periods have. */
  readonly bands: readonly number[];
}

/**
 * How far each day lies from what the two periods have with as many players. Each period has a line through the
 * medians of the bands that both have; the middle between the two lines is the measure, and a day is the median of its
 * five minutes' distances from it. A day on which more people play is not a slower day by that alone; a server that
 * is slower by as much with any number of players has its target days above its base days by just that.
 */
export function adjustedDays(base: LoadedField, target: LoadedField): AdjustedDays {
  const [earlier, later] = [loadPoints(base), loadPoints(target)];
  const bands = earlier.map(({ band }) => band).filter((band) => later.some((point) => point.band === band));
  const [one, other] = [earlier, later].map((points) => points.filter(({ band }) => bands.includes(band)));
  const measure = (players: number): number =>
    (onLine(one ?? [], players) + onLine(other ?? [], players)) / 2;
  const isCompared = playerBands.map((_, band) => bands.includes(band));
  return {
    base: distances(base.buckets, measure, isCompared),
    target: distances(target.buckets, measure, isCompared),
    bands,
  };
}

/** One value for each day that has enough of the compared bands. */
function distances(
  field: FieldBuckets,
  measure: (players: number) => number,
  isCompared: readonly boolean[],
): number[] {
  const { values, players, bands } = field;
  const days: number[] = [];
  for (const [start, end] of dayBounds(field)) {
    const day = new Float64Array(end - start);
    let size = 0;
    for (let place = start; place < end; place += 1) {
      const value = values[place] ?? Number.NaN;
      if (Number.isNaN(value) || isCompared[bands[place] ?? playerBands.length] !== true) continue;
      day[size++] = value - measure(players[place] ?? 0);
    }
    if (size >= leastBucketsOfDay) days.push(medianOf(day, size));
  }
  return days;
}
