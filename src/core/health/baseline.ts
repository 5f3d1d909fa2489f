import { nearestRank } from "../metric/nearest-rank.ts";
import { ascending, middle } from "../statistics/order.ts";
import { dayMs, type Instant } from "../time.ts";
import { bandOf } from "./bands.ts";

/** Whole days (UTC) before the judged day: two of each weekday. */
export const baselineDays = 14;
/** A band has a baseline from this many 5-minute buckets (4 h) on, */
export const leastBaselineBuckets = 48;
/** on at least this many days: one busy evening is not usual. */
export const leastBaselineDays = 5;
/** A level above this share is unusual (simulated: test/bench/slower-than-usual.bench.ts). */
const unusualShare = 0.98;

/**
 * Medians of a server's samples in five minutes. The caller leaves out buckets in maintenance, in the first
 * 10 minutes of a boot, while the server was paused because nobody was online, and while it was not
 * monitored.
 */
export interface LevelBucket {
  /** Start, a multiple of 5 minutes. */
  readonly at: Instant;
  /** Of the judged field. For ms a tick on a server with regions, the average of its regions. */
  readonly value: number;
  readonly players: number;
}

export interface BandBaseline {
  readonly playersFrom: number;
  /** `median` and `p98` are in the unit of the field; `p98` is a measured value (nearest rank). */
  readonly median: number;
  readonly p98: number;
  readonly buckets: number;
  readonly days: number;
}

/** The usual levels of one field before `day`; plain data, computed once a day and stored. */
export interface LevelBaseline {
  /** Start of the day (UTC) that it judges. */
  readonly day: Instant;
  /** Bands with a baseline, by rising players. */
  readonly bands: readonly BandBaseline[];
  /**
   * While no band has a baseline: the day from which one will, if data keeps coming; null if that takes
   * longer than a baseline looks back.
   */
  readonly enoughOn: Instant | null;
}

interface BandValues {
  readonly playersFrom: number;
  readonly values: number[];
  readonly days: Set<number>;
}

const dayOf = (at: Instant): number => Math.floor(at / dayMs);

function byBand(buckets: readonly LevelBucket[]): BandValues[] {
  const bands = new Map<number, BandValues>();
  for (const { at, value, players } of buckets) {
    const playersFrom = bandOf(players).from;
    let band = bands.get(playersFrom);
    if (!band) bands.set(playersFrom, (band = { playersFrom, values: [], days: new Set() }));
    band.values.push(value);
    band.days.add(dayOf(at));
  }
  return [...bands.values()].sort((a, b) => a.playersFrom - b.playersFrom);
}

function summaryOf({ playersFrom, values, days }: BandValues): BandBaseline {
  const sorted = ascending(values);
  const [low, high] = middle(sorted);
  return {
    playersFrom,
    median: (low + high) / 2,
    p98: nearestRank(sorted, unusualShare) ?? high,
    buckets: values.length,
    days: days.size,
  };
}

/** When the first band will have enough, if bands keep filling as in the `observed` days from `firstDay`. */
function enoughOn(bands: readonly BandValues[], firstDay: number, observed: number): Instant | null {
  const needed = bands.map(({ values, days }) =>
    Math.ceil(
      Math.max((leastBaselineBuckets * observed) / values.length, (leastBaselineDays * observed) / days.size),
    ),
  );
  const soonest = Math.min(...needed);
  return soonest <= baselineDays ? (firstDay + soonest) * dayMs : null;
}

/**
 * The baseline for the day (UTC) that starts at `day`, from the 14 days before it. Buckets of the day itself
 * only help to predict `enoughOn`: a new server has no others.
 */
export function baselineOf(buckets: readonly LevelBucket[], day: Instant): LevelBaseline {
  const inReach = buckets.filter(({ at }) => at >= day - baselineDays * dayMs && at < day + dayMs);
  const bands = byBand(inReach.filter(({ at }) => at < day))
    .filter(({ values, days }) => values.length >= leastBaselineBuckets && days.size >= leastBaselineDays)
    .map(summaryOf);
  if (bands.length > 0 || inReach.length === 0) return { day, bands, enoughOn: null };
  const days = inReach.map(({ at }) => dayOf(at));
  const firstDay = days.reduce((least, day) => Math.min(least, day));
  const end = Math.max(dayOf(day), days.reduce((most, day) => Math.max(most, day)) + 1);
  return { day, bands, enoughOn: enoughOn(byBand(inReach), firstDay, end - firstDay) };
}
