import { median } from "../statistics/order.ts";
import { bucketsOfDay, cellOf, hourOf, leastBucketsOfBand, type FieldBuckets } from "./period-days.ts";

/**
 * How much one field of a server varies although nothing changed, as shares of its level. A day's deviation is
 * shared by all measurements of the day, so more of them on one day do not make it smaller.
 */
export interface DayNoise {
  /** Deviation of whole days from one another. */
  readonly day: number;
  /** Deviation of hours within a day. */
  readonly hour: number;
  /** The number of days it was measured on; null if it is the assumption. */
  readonly days: number | null;
}

/**
 * The usual server of the simulations behind the health rules: days differ by 10 %, five minutes by 10 % (ours,
 * by what those rules were tuned with; a server with history is judged by its own).
 */
export const assumedNoise: DayNoise = { day: 0.1, hour: 0.1, days: null };

/** An estimate from fewer days is too loose. */
export const leastNoiseDays = 5;

/** The days before both periods that are read for it. */
export const mostNoiseDays = 14;

/** No server is steadier than this: the share covers what days without an accident do not show (ours). */
const leastDayNoise = 0.02;

/** A cell of fewer days is its own middle. */
const leastDaysOfCell = 3;

/** A day with fewer hours says little of the day. */
const leastHoursOfDay = 4;

/** The middle of each cell that several days have. */
function cellMedians(field: FieldBuckets, isByBand: boolean): Map<number, number> {
  const cells = new Map<number, { readonly values: number[]; readonly days: Set<number> }>();
  for (const [place, value] of field.values.entries()) {
    const cell = cellOf(field, place, isByBand);
    if (Number.isNaN(value) || cell === null) continue;
    const known = cells.get(cell) ?? { values: [], days: new Set<number>() };
    known.values.push(value);
    known.days.add(Math.floor((field.first + place) / bucketsOfDay));
    cells.set(cell, known);
  }
  return new Map(
    [...cells].flatMap(([cell, { values, days }]) =>
      days.size < leastDaysOfCell ? [] : [[cell, median(values)] as const],
    ),
  );
}

/** By day, how far each of its hours lies from what is usual at this hour with as many players. */
function hourDeviations(field: FieldBuckets, isByBand: boolean): number[][] {
  const medians = cellMedians(field, isByBand);
  const days = new Map<number, Map<number, { readonly apart: number[]; level: number }>>();
  for (const [place, value] of field.values.entries()) {
    const cell = cellOf(field, place, isByBand);
    const usual = cell === null ? undefined : medians.get(cell);
    if (Number.isNaN(value) || usual === undefined) continue;
    const day = Math.floor((field.first + place) / bucketsOfDay);
    const hours = days.get(day) ?? new Map<number, { readonly apart: number[]; level: number }>();
    const hour = hours.get(hourOf(field, place)) ?? { apart: [], level: 0 };
    hour.apart.push(value - usual);
    hour.level += Math.abs(usual);
    hours.set(hourOf(field, place), hour);
    days.set(day, hours);
  }
  return [...days.values()].map((hours) =>
    [...hours.values()].flatMap(({ apart, level }) =>
      apart.length < leastBucketsOfBand || level === 0 ? [] : [(median(apart) * apart.length) / level],
    ),
  );
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const squares = (values: readonly number[]): number => {
  const middle = mean(values);
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
};

/** From days on which nothing is compared. `isByBand`: their number of players is known. */
export function dayNoise(history: FieldBuckets | null, isByBand: boolean): DayNoise {
  const days =
    history === null
      ? []
      : hourDeviations(history, isByBand).filter((hours) => hours.length >= leastHoursOfDay);
  if (days.length < leastNoiseDays) return assumedNoise;
  const free = days.length - 1;
  const between = squares(days.map(mean)) / free;
  const within = days.reduce((sum, hours) => sum + squares(hours), 0);
  const hours = days.reduce((sum, each) => sum + each.length - 1, 0);
  // The middle of each cell was taken from the same days, which takes a share of their deviation.
  const taken = days.length / free;
  return {
    day: Math.max(leastDayNoise, Math.sqrt(between * taken)),
    hour: Math.sqrt((within / hours) * taken),
    days: days.length,
  };
}
