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
  /** The day of the earlier baseline that it is kept from; left out if it is that of the day itself. */
  readonly keptFrom?: Instant;
}

/** A time in which a finding was open. */
export interface UnusualSpan {
  readonly since: Instant;
  /** Exclusive. */
  readonly until: Instant;
  /** Start of the first finding of its episode. */
  readonly episode: Instant;
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

const isEnough = ({ values, days }: BandValues): boolean =>
  values.length >= leastBaselineBuckets && days.size >= leastBaselineDays;

/** Whether a span is left out of the baseline of a day: for 14 days its episode is not usual. */
const isUnusualOn =
  (day: Instant) =>
  ({ episode }: UnusualSpan): boolean =>
    day - episode < baselineDays * dayMs;

/** Bands that are short of buckets only because of what is left out keep the baseline that they had. */
function keptBands(
  before: LevelBaseline | null,
  bands: readonly BandBaseline[],
  all: readonly LevelBucket[],
): BandBaseline[] {
  if (before === null) return [];
  const known = new Set(bands.map(({ playersFrom }) => playersFrom));
  const lacking = before.bands.filter(({ playersFrom }) => !known.has(playersFrom));
  if (lacking.length === 0) return [];
  const filled = new Set(
    byBand(all)
      .filter(isEnough)
      .map(({ playersFrom }) => playersFrom),
  );
  return lacking
    .filter(({ playersFrom }) => filled.has(playersFrom))
    .map((band) => Object.assign({ keptFrom: before.day }, band));
}

/**
 * The baseline for the day (UTC) that starts at `day`, from the 14 days before it, without `unusual` times: a
 * slowdown that comes back must not become its own measure. Buckets of the day itself only help to predict
 * `enoughOn`: a new server has no others. `before` is the baseline of an earlier day.
 */
export function baselineOf(
  buckets: readonly LevelBucket[],
  day: Instant,
  unusual: readonly UnusualSpan[] = [],
  before: LevelBaseline | null = null,
): LevelBaseline {
  const inReach = buckets.filter(({ at }) => at >= day - baselineDays * dayMs && at < day + dayMs);
  const earlier = inReach.filter(({ at }) => at < day);
  const left = unusual.filter(isUnusualOn(day));
  const counted =
    left.length === 0
      ? earlier
      : earlier.filter(({ at }) => !left.some(({ since, until }) => at >= since && at < until));
  const own = byBand(counted).filter(isEnough).map(summaryOf);
  const kept = left.length === 0 ? [] : keptBands(before, own, earlier);
  const bands = [...own, ...kept].sort((a, b) => a.playersFrom - b.playersFrom);
  if (bands.length > 0 || inReach.length === 0) return { day, bands, enoughOn: null };
  const days = inReach.map(({ at }) => dayOf(at));
  const firstDay = days.reduce((least, day) => Math.min(least, day));
  const end = Math.max(dayOf(day), days.reduce((most, day) => Math.max(most, day)) + 1);
  return { day, bands, enoughOn: enoughOn(byBand(inReach), firstDay, end - firstDay) };
}
