import { playerBands } from "../health/bands.ts";
import { median } from "../statistics/order.ts";
import { dayMs } from "../time.ts";
import { bucketMs } from "./chunk.ts";
import type { DayNoise } from "./day-noise.ts";
import { bucketsOfDay, bucketsOfHour, cellOf, type FieldBuckets } from "./period-days.ts";

/** The shift of periods that are too short to be compared by days. */
export interface PreliminaryShift {
  readonly shift: number;
  readonly interval: readonly [low: number, high: number];
  /** Hours that both periods have in common bands. */
  readonly hours: number;
  /** Indexes of these bands; empty if players are not known. */
  readonly bands: readonly number[];
  /** False where both have bands in common, but at other hours of the day. */
  readonly hoursMatched: boolean;
}

/** Below two hours in common bands nothing is said: hours in a row resemble each other too much. */
export const leastPreliminaryHours = 2;

/**
 * Of the interval: 98 % lie between its ends. With 95 % one comparison in ten of unchanged servers had a word in
 * the simulation (test/bench/short-periods.bench.ts), because so few days are seldom quite normal.
 */
export const preliminaryConfidence = 0.98;

/** The quantile of the normal distribution for it. */
const normalQuantile = 2.326;

/** A cell needs a quarter of an hour a side: a shorter visit says nothing about a load. */
const leastBucketsOfCell = 3;

/** Neighbouring hours resemble each other, so that so many count as one (correlation 0.3 from hour to hour). */
const hoursAlike = 2;

/** Student's quantile from the normal one, in its first terms (Abramowitz and Stegun, 26.7.5). */
function quantile({ days }: DayNoise): number {
  if (days === null) return normalQuantile;
  const [z, free] = [normalQuantile, days - 1];
  return z + (z ** 3 + z) / (4 * free) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * free ** 2);
}

type Cells = ReadonlyMap<number, number[]>;

/** The places of measured five minutes by cell. */
function cellsOf(field: FieldBuckets, cell: (place: number) => number | null): Cells {
  const cells = new Map<number, number[]>();
  for (const [place, value] of field.values.entries()) {
    const at = Number.isNaN(value) ? null : cell(place);
    if (at === null) continue;
    const places = cells.get(at);
    if (places) places.push(place);
    else cells.set(at, [place]);
  }
  return cells;
}

/**
 * How many days the measurements count for: fewer where most come from one day, and at most the length of the
 * period, because a night that two UTC days share is not two days.
 */
function daysBehind(field: FieldBuckets, places: readonly number[]): number {
  const days = new Map<number, number>();
  for (const place of places) {
    const day = Math.floor((field.first + place) / bucketsOfDay);
    days.set(day, (days.get(day) ?? 0) + 1);
  }
  const squared = [...days.values()].reduce((sum, count) => sum + (count / places.length) ** 2, 0);
  return Math.max(1, Math.min(1 / squared, (field.values.length * bucketMs) / dayMs));
}

type Sides = readonly [base: FieldBuckets, target: FieldBuckets];

/** Null if the cells that both periods have hold less than two hours. */
function shiftIn(
  [base, target]: Sides,
  cell: (field: FieldBuckets, place: number) => number | null,
  noise: DayNoise,
): (Omit<PreliminaryShift, "bands" | "hoursMatched"> & { readonly cells: readonly number[] }) | null {
  const [earlier, later] = [
    cellsOf(base, (place) => cell(base, place)),
    cellsOf(target, (place) => cell(target, place)),
  ];
  const cells: number[] = [];
  const [ofBase, ofTarget]: [number[][], number[][]] = [[], []];
  let [weight, sum, level] = [0, 0, 0];
  // In one order whichever period is the base, so that both ways give the same figures.
  for (const each of [...earlier.keys()].toSorted((a, b) => a - b)) {
    const places = earlier.get(each) ?? [];
    const others = later.get(each) ?? [];
    const buckets = Math.min(places.length, others.length);
    if (buckets < leastBucketsOfCell) continue;
    const before = median(places.map((place) => base.values[place] ?? 0));
    const after = median(others.map((place) => target.values[place] ?? 0));
    cells.push(each);
    ofBase.push(places);
    ofTarget.push(others);
    weight += buckets;
    sum += buckets * (after - before);
    level += (buckets * (Math.abs(before) + Math.abs(after))) / 2;
  }
  const hours = weight / bucketsOfHour;
  if (hours < leastPreliminaryHours) return null;
  const days = 1 / daysBehind(base, ofBase.flat()) + 1 / daysBehind(target, ofTarget.flat());
  const variance = noise.day ** 2 * days + (noise.hour ** 2 * 2 * hoursAlike) / hours;
  const shift = sum / weight;
  const half = (quantile(noise) * Math.sqrt(variance) * level) / weight;
  return { shift, interval: [shift - half, shift + half], hours, cells };
}

/**
 * The mean difference between five minutes of the same player band at the same hour of the day; of the same
 * band alone if the periods share no hours. Its interval has the noise between days in it, which one day of
 * measurements does not show. Null without two hours in common. `isByBand`: both know their players.
 */
export function preliminaryShift(sides: Sides, isByBand: boolean, noise: DayNoise): PreliminaryShift | null {
  const byHour = shiftIn(sides, (field, place) => cellOf(field, place, isByBand), noise);
  const bandOf = (field: FieldBuckets, place: number): number | null => {
    const band = field.bands[place] ?? playerBands.length;
    return band < playerBands.length ? band : null;
  };
  const found = byHour ?? (isByBand ? shiftIn(sides, bandOf, noise) : null);
  if (found === null) return null;
  const { shift, interval, hours, cells } = found;
  const bands = isByBand ? cells.map((cell) => (byHour ? Math.floor(cell / 24) : cell)) : [];
  return {
    shift,
    interval,
    hours,
    bands: [...new Set(bands)].toSorted((a, b) => a - b),
    hoursMatched: byHour !== null,
  };
}
