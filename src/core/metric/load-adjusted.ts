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

/** Days with the band that each period needs: fewer have no middle one. */
export const leastDaysOfBand = 3;

export const bandDays = (days: readonly PeriodDay[], band: number): DayMedian[] =>
  days.flatMap(({ bands }) => bands[band] ?? []);

interface LoadPoint {
  readonly band: number;
  readonly players: number;
  readonly value: number;
}

/** `players` are the days of the number of players. */
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

/** Beyond the outermost points its outer pieces go on, because more players take more within a band too. */
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
  /** Indexes of the bands that both periods have. */
  readonly bands: readonly number[];
}

/**
 * The value of a day is the median distance of its five minutes from what both periods take with as many
 * players: the middle of two lines through the medians of the common bands, one for each period. So a day
 * with more players is not slower for that alone.
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
