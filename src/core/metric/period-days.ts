import { playerBands } from "../health/bands.ts";
import { middle } from "../statistics/order.ts";
import { dayMs, hourMs } from "../time.ts";
import { bucketMs } from "./chunk.ts";

export const bucketsOfDay = dayMs / bucketMs;
export const bucketsOfHour = hourMs / bucketMs;
const hoursOfDay = 24;

/** Four hours, as a baseline of the health rules needs; a server that is only up in the evening has them. */
export const leastBucketsOfDay = 48;

/** A band counts on a day with half an hour of it: a minute's visit says nothing about a load. */
export const leastBucketsOfBand = 6;

/** The median of one field, over a day or over a part of it. */
export interface DayMedian {
  readonly median: number;
  /** The number of five minutes behind it. */
  readonly buckets: number;
}

/** One UTC day of one field. */
export interface PeriodDay extends DayMedian {
  /** By player band; null if the day has too little of it. */
  readonly bands: readonly (DayMedian | null)[];
}

/** One entry for each five minutes; NaN if nothing was measured. */
export interface FieldBuckets {
  readonly values: Float64Array;
  readonly players: Float64Array;
  readonly bands: Uint8Array;
  /** The index of the first five minutes, counted from the Unix epoch. */
  readonly first: number;
}

/** The UTC hour of five minutes, from 0. */
export const hourOf = ({ first }: FieldBuckets, place: number): number =>
  Math.floor(((first + place) % bucketsOfDay) / bucketsOfHour);

/** A number for the hour of the day, with `isByBand` also for the player band; null if that is unknown. */
export function cellOf(field: FieldBuckets, place: number, isByBand: boolean): number | null {
  const hour = hourOf(field, place);
  if (!isByBand) return hour;
  const band = field.bands[place] ?? playerBands.length;
  return band < playerBands.length ? band * hoursOfDay + hour : null;
}

/** The median of the first `length` values; sorts them in place. */
export function medianOf(values: Float64Array, length: number): number {
  const [low, high] = middle(values.subarray(0, length).sort());
  return (low + high) / 2;
}

/** The median of all five minutes; null if none was measured. */
export function medianOfAll({ values }: FieldBuckets): number | null {
  const measured = values.filter((value) => !Number.isNaN(value));
  return measured.length === 0 ? null : medianOf(measured, measured.length);
}

/** The first and last (exclusive) five minutes of each UTC day. */
export function* dayBounds({
  values,
  first,
}: FieldBuckets): Generator<readonly [start: number, end: number]> {
  for (let start = 0; start < values.length;) {
    const end = Math.min(values.length, start + bucketsOfDay - ((first + start) % bucketsOfDay));
    yield [start, end];
    start = end;
  }
}

/** The UTC days with enough measurements, in order of time. */
export function daysOf(field: FieldBuckets): PeriodDay[] {
  const { values, bands } = field;
  const all = new Float64Array(bucketsOfDay);
  const byBand = playerBands.map(() => new Float64Array(bucketsOfDay));
  const days: PeriodDay[] = [];
  for (const [start, end] of dayBounds(field)) {
    const sizes = new Uint32Array(playerBands.length);
    let buckets = 0;
    for (let place = start; place < end; place += 1) {
      const value = values[place] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      all[buckets++] = value;
      const band = bands[place] ?? playerBands.length;
      const [group, size] = [byBand[band], sizes[band]];
      if (!group || size === undefined) continue;
      group[size] = value;
      sizes[band] = size + 1;
    }
    if (buckets < leastBucketsOfDay) continue;
    const medians = byBand.map((each, band) => {
      const size = sizes[band] ?? 0;
      return size < leastBucketsOfBand ? null : { median: medianOf(each, size), buckets: size };
    });
    days.push({ median: medianOf(all, buckets), buckets, bands: medians });
  }
  return days;
}

/** The median of each UTC hour's five minutes over all days; null if there are none. */
export function hourProfile(field: FieldBuckets): (number | null)[] {
  const { values } = field;
  const perHour = Math.ceil(values.length / bucketsOfDay + 1) * bucketsOfHour;
  const byHour = Array.from({ length: hoursOfDay }, () => new Float64Array(perHour));
  const sizes = new Uint32Array(hoursOfDay);
  for (let place = 0; place < values.length; place += 1) {
    const value = values[place] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    const hour = hourOf(field, place);
    const [group, size] = [byHour[hour], sizes[hour]];
    if (!group || size === undefined) continue;
    group[size] = value;
    sizes[hour] = size + 1;
  }
  return byHour.map((each, hour) => {
    const size = sizes[hour] ?? 0;
    return size === 0 ? null : medianOf(each, size);
  });
}

/** The UTC hour with the most players, the first of several; null if nobody was there, or it is unknown. */
export function peakHour(players: readonly (number | null)[]): number | null {
  const most = players.reduce<number>((greatest, value) => Math.max(greatest, value ?? 0), 0);
  return most === 0 ? null : players.indexOf(most);
}
