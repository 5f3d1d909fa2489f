import { playerBands } from "../health/bands.ts";
import { medianDepth } from "../statistics/long-sides.ts";
import { ascending, median } from "../statistics/order.ts";
import { bandDays } from "./load-adjusted.ts";
import { leastBucketsOfBand, type FieldBuckets, type PeriodDay } from "./period-days.ts";

/** Tick times, ms: where ticks begin to run late, and the whole time of a tick. */
export const capacityLimitsMs = [40, 50] as const;

/** A line through two bands has no bend, and does not show whether ticks grow faster with more players. */
export const leastBandsOfCapacity = 3;

/** The median of fewer days has no interval of 90 %. */
export const leastDaysOfCapacityBand = 5;

/** The probability beyond each end of a band's interval: 90 % lie between. */
const beyondEnd = 0.05;

/** `median`, `low` and `high` are tick times, ms. */
export interface CapacityBand {
  /** The index in `playerBands`. */
  readonly band: number;
  readonly days: number;
  /** The median number of players. */
  readonly players: number;
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export interface CapacityPoint {
  readonly limitMs: number;
  /**
   * `measured`: at `players`. `beyond`: not with the most players. `before`: already with the fewest. `at_least`:
   * not yet with `players`, and more is not known.
   */
  readonly reached: "measured" | "beyond" | "before" | "at_least";
  readonly players: number | null;
  /** The ends of the interval; null where it is open. */
  readonly low: number | null;
  readonly high: number | null;
}

/** Medians of days' medians, with the interval of the sign test; bands with too few days are left out. */
export function capacityBands(ticks: readonly PeriodDay[], players: readonly PeriodDay[]): CapacityBand[] {
  return playerBands.flatMap((_, band) => {
    const days = bandDays(ticks, band).map((day) => day.median);
    const present = bandDays(players, band).map((day) => day.median);
    if (days.length < leastDaysOfCapacityBand || present.length === 0) return [];
    const sorted = ascending(days);
    const depth = medianDepth(beyondEnd, days.length);
    const [low = 0, high = 0] = [sorted[depth], sorted[sorted.length - 1 - depth]];
    return { band, days: days.length, players: median(present), median: median(days), low, high };
  });
}

interface Block {
  readonly value: number;
  readonly weight: number;
  readonly size: number;
}

/**
 * The nearest rising values by weighted squares (pool adjacent violators; Ayer et al., 1955): more players do
 * not make ticks shorter, so a band below the one before it is noise of both.
 */
export function rising(values: readonly number[], weights: readonly number[]): number[] {
  const blocks: Block[] = [];
  for (const [index, value] of values.entries()) {
    let block: Block = { value, weight: weights[index] ?? 1, size: 1 };
    for (let last = blocks.at(-1); last && last.value > block.value; last = blocks.at(-1)) {
      blocks.pop();
      const weight = last.weight + block.weight;
      const pooled = (last.value * last.weight + block.value * block.weight) / weight;
      block = { value: pooled, weight, size: last.size + block.size };
    }
    blocks.push(block);
  }
  return blocks.flatMap(({ value, size }) => Array.from({ length: size }, () => value));
}

/** The players at which a rising line reaches the limit: −∞ before its first point, ∞ behind its last. */
function crossing(players: readonly number[], ticks: readonly number[], limit: number): number {
  if ((ticks[0] ?? Number.POSITIVE_INFINITY) >= limit) return Number.NEGATIVE_INFINITY;
  const at = ticks.findIndex((value) => value >= limit);
  const [left, right, from, to] = [players[at - 1], players[at], ticks[at - 1], ticks[at]];
  if (left === undefined || right === undefined || from === undefined || to === undefined)
    return Number.POSITIVE_INFINITY;
  return left + ((right - left) * (limit - from)) / (to - from);
}

/**
 * The number of players at which the median tick takes each limit, on lines between the bands, never beyond
 * them. The line through the bands' upper ends reaches a limit first and gives the low end of the interval.
 */
export function capacityOf(bands: readonly CapacityBand[]): CapacityPoint[] {
  const players = bands.map((band) => band.players);
  const weights = bands.map(({ days }) => days);
  const line = (part: "low" | "median" | "high"): number[] =>
    rising(
      bands.map((band) => band[part]),
      weights,
    );
  const [lower, middle, upper] = [line("low"), line("median"), line("high")];
  const [fewest = null, most = null] = [players[0], players.at(-1)];
  return capacityLimitsMs.map((limitMs) => {
    const at = crossing(players, middle, limitMs);
    const [first, last] = [crossing(players, upper, limitMs), crossing(players, lower, limitMs)];
    return {
      limitMs,
      reached: Number.isFinite(at) ? "measured" : at > 0 ? "beyond" : "before",
      players: Number.isFinite(at) ? at : null,
      low: Number.isFinite(first) ? first : first > 0 ? most : null,
      high: Number.isFinite(last) ? last : last > 0 ? null : fewest,
    };
  });
}

/** The medians of one player band over a whole period. */
interface BandMedian {
  readonly players: number;
  readonly median: number;
}

/** The median tick of each band with half an hour of measurements, however few days they are from. */
export function bandMedians({ values, players, bands }: FieldBuckets): BandMedian[] {
  return playerBands.flatMap((_, band) => {
    const places = Array.from(bands.keys()).filter(
      (place) => bands[place] === band && !Number.isNaN(values[place] ?? Number.NaN),
    );
    if (places.length < leastBucketsOfBand) return [];
    const of = (column: Float64Array): number => median(places.map((place) => column[place] ?? 0));
    return [{ players: of(players), median: of(values) }];
  });
}

/** With too few bands for a line: the most players with which the median tick took less than each limit. */
export function lowerBounds(bands: readonly BandMedian[]): CapacityPoint[] {
  if (bands.length === 0) return [];
  return capacityLimitsMs.map((limitMs) => {
    const over = bands.findIndex((band) => band.median >= limitMs);
    const below = over < 0 ? bands.at(-1) : bands[over - 1];
    const next = over < 0 ? undefined : bands[over];
    return {
      limitMs,
      reached: below === undefined ? "before" : "at_least",
      players: below?.players ?? null,
      low: below?.players ?? null,
      high: next?.players ?? null,
    };
  });
}
