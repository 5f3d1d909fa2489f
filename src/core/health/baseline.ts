import { nearestRank } from "../metric/nearest-rank.ts";
import { ascending, middle } from "../statistics/order.ts";
import { dayMs, type Instant } from "../time.ts";
import { bandOf } from "./bands.ts";

/** So many whole days (UTC) before the day judged: two of each weekday. */
export const baselineDays = 14;
/** A band has a baseline from so many 5-minute buckets on (4 h of them), */
export const leastBaselineBuckets = 48;
/** which lie on so many days at least: one busy evening is not what is usual. */
export const leastBaselineDays = 5;
/** What lies above this share of a band's buckets is unusual (simulated: test/bench/slower-than-usual.bench.ts). */
const unusualShare = 0.98;

/**
 * Five minutes of a server: medians of its samples. Buckets in maintenance, in the first 10 minutes after a boot, while
 * it was paused because nobody was on it, and while it was not monitored are left out by the caller, from what a
 * baseline is made of and from what is judged.
 */
export interface LevelBucket {
  /** Its start, a multiple of 5 minutes. */
  readonly at: Instant;
  /** Of the field judged; ms a tick are, where the world is split into regions, the average of its regions. */
  readonly value: number;
  readonly players: number;
}

/** What was usual of a field with about as many players. */
export interface BandBaseline {
  /** The `from` of its band. */
  readonly playersFrom: number;
  /** In the unit of the field, like the 98th percentile, which is a measured value (nearest rank). */
  readonly median: number;
  readonly p98: number;
  /** How much it stands on. */
  readonly buckets: number;
  readonly days: number;
}

/** What was usual of one field of a server in the days before `day`; plain data, to be computed once a day and kept. */
export interface LevelBaseline {
  /** Start of the day (UTC) whose buckets are judged by it. */
  readonly day: Instant;
  /** The bands that have one, by rising players. */
  readonly bands: readonly BandBaseline[];
  /**
   * While no band has one: the day from which one will, if data goes on coming as it does; null where it would take
   * more days than a baseline looks back.
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

/** When the first band will have enough, if each fills as it did in the `observed` days from `firstDay` on. */
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
 * The baseline for the day (UTC) that begins at `day`, of the buckets of the 14 days before it; earlier ones are
 * ignored. Buckets of the day itself only help to foresee `enoughOn`: of a new server there is nothing else.
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
