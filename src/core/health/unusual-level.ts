import { medianOfFew } from "../statistics/order.ts";
import { dayMs, minuteMs, type Instant } from "../time.ts";
import { bandOf } from "./bands.ts";
import { baselineDays, type BandBaseline, type LevelBaseline, type LevelBucket } from "./baseline.ts";

// Every figure here was chosen by simulation of tick times: test/bench/slower-than-usual.bench.ts prints what it does to both errors.

/** The last 9 buckets by the clock are judged: 45 minutes. */
const judgedMs = 9 * 5 * minuteMs;
/** Of them so many have a baseline at least. */
const leastJudged = 7;
/** A finding opens when so many percent of them lie above the 98th percentile of their band, too. */
const leastAbovePercent = 80;
/**
 * It ends after so many buckets in a row (an hour of them) at which it is not felt. The 98th percentile has no part in
 * that: a lasting rise crosses it to and fro with the hour of the day, and would lose its beginning every night.
 */
const recoveredAfter = 12;
/** `since` is where a bucket above counts +1 and any other so much: a stretch of less than 80 % above does not pay. */
const notAboveScore = -4;
/** A lasting rise is what is usual once a baseline could stand on it alone. */
const newNormalMs = baselineDays * dayMs;
/** A band's median counts as at least so much in a ratio: 0 is no measure. */
const leastMedian = 0.01;

/** How much more than usual is felt. */
export interface LevelSettings {
  /** The median of value / median of the band is at least this, */
  readonly leastRatio: number;
  /** and the median of value - median of the band at least so much, in the unit of the field. */
  readonly leastExcess: number;
}

/** A bucket with what its band needed usually, on its day. */
interface JudgedBucket {
  readonly at: Instant;
  readonly value: number;
  readonly band: BandBaseline;
}

/** Why the finding is made: the baseline of the band with most of the buckets judged, and what those buckets needed. */
export interface LevelEvidence extends BandBaseline {
  /** Median of the buckets, in the unit of the field. */
  readonly value: number;
  /** Start of the newest bucket judged. */
  readonly measuredAt: Instant;
}

/** A finding that has not ended. */
export interface OpenLevel {
  /** Start of the first bucket that is part of it; fixed when the finding opens. */
  readonly since: Instant;
  /** Start of the bucket that opened it. */
  readonly openedAt: Instant;
  /** Stands still while the finding is open: a lasting rise must not become its own measure. */
  readonly baseline: LevelBaseline;
  /** As of the newest bucket at which it was felt. */
  readonly evidence: LevelEvidence;
  /** Buckets in a row, the newest ones, at which it could be judged and was not felt. */
  readonly notFelt: number;
}

/** All that is known of one server between two buckets; plain data, to be kept as JSON. */
export interface LevelState {
  /** Start of the newest bucket seen; null before the first. */
  readonly seenTo: Instant | null;
  /** Those of the last 45 minutes that have a baseline, oldest first. */
  readonly recent: readonly JudgedBucket[];
  /** While no finding is open: the suffix of buckets with the largest sum, if that is above 0. */
  readonly suffix: { readonly since: Instant; readonly sum: number } | null;
  readonly open: OpenLevel | null;
}

/** What a bucket changed. `at`: the start of that bucket. */
export type LevelChange = { readonly at: Instant; readonly since: Instant } & (
  | { readonly kind: "opened"; readonly evidence: LevelEvidence }
  | { readonly kind: "ended"; readonly reason: "recovered" | "new_normal" }
);

/** The state of a server none of whose buckets was seen. */
export const unseenLevelState: LevelState = { seenTo: null, recent: [], suffix: null, open: null };

const isAbove = ({ value, band }: JudgedBucket): boolean => value > band.p98;

const medianOf = (buckets: readonly JudgedBucket[], value: (bucket: JudgedBucket) => number): number =>
  medianOfFew(buckets.map(value));

/** Whether these buckets lie so far above what is usual that it is felt. */
const isFelt = (recent: readonly JudgedBucket[], { leastRatio, leastExcess }: LevelSettings): boolean =>
  recent.length >= leastJudged &&
  medianOf(recent, ({ value, band }) => value / Math.max(band.median, leastMedian)) >= leastRatio &&
  medianOf(recent, ({ value, band }) => value - band.median) >= leastExcess;

/** Of a sample that is a little less the median, which has two decimals, may not be less. */
const roundedBy = 0.01;

/**
 * No finding opens without a sample of so much: more than half of the buckets judged lie above what is rare in their
 * bands, and at least half of them have the ratio, so one of them has both; and one has the excess.
 */
export function leastToOpen({ leastRatio, leastExcess }: LevelSettings, { bands }: LevelBaseline): number {
  const rare = bands.map(({ median, p98 }) => Math.max(p98, leastRatio * Math.max(median, leastMedian)));
  const excess = bands.map(({ median }) => median + leastExcess);
  return Math.max(Math.min(...rare), Math.min(...excess)) - roundedBy;
}

/** Whether that is also rare enough to make a finding of it. */
const isUnusual = (recent: readonly JudgedBucket[]): boolean =>
  recent.filter(isAbove).length * 100 >= recent.length * leastAbovePercent;

/** The suffix after one more bucket; of two with the same sum the shorter one. */
function extended(suffix: LevelState["suffix"], bucket: JudgedBucket): LevelState["suffix"] {
  const sum = (suffix?.sum ?? 0) + (isAbove(bucket) ? 1 : notAboveScore);
  return sum > 0 ? { since: suffix?.since ?? bucket.at, sum } : null;
}

/** The evidence of unusual buckets; of two bands with as many of them that of the newer ones. */
function evidenceOf(recent: readonly JudgedBucket[]): LevelEvidence | null {
  const newest = recent.at(-1);
  if (!newest) return null;
  let [leading, most] = [newest, 0];
  for (const bucket of recent) {
    let alike = 0;
    for (const other of recent) if (other.band.playersFrom === bucket.band.playersFrom) alike += 1;
    if (alike >= most) [leading, most] = [bucket, alike];
  }
  const ofBand = recent.filter(({ band }) => band.playersFrom === leading.band.playersFrom);
  return { ...leading.band, value: medianOf(ofBand, ({ value }) => value), measuredAt: newest.at };
}

interface Seen {
  readonly state: LevelState;
  readonly change: LevelChange | null;
}

/** The open finding after one more bucket, which is in `state` already. */
function goOn(settings: LevelSettings, state: LevelState, open: OpenLevel, at: Instant): Seen {
  const { recent } = state;
  const evidence = isFelt(recent, settings) ? evidenceOf(recent) : null;
  if (evidence) return { state: { ...state, open: { ...open, evidence, notFelt: 0 } }, change: null };
  // Without a baseline nobody knows: that is no recovery.
  const notFelt = open.notFelt + (recent.length >= leastJudged ? 1 : 0);
  if (notFelt < recoveredAfter) return { state: { ...state, open: { ...open, notFelt } }, change: null };
  return {
    // A rise that begins within this hour may be in these buckets already.
    state: { ...state, suffix: recent.reduce(extended, null), open: null },
    change: { kind: "ended", at, since: open.since, reason: "recovered" },
  };
}

/** The bucket beside its band; null when the band has no baseline. */
function judge({ at, value, players }: LevelBucket, { bands }: LevelBaseline): JudgedBucket | null {
  const { from } = bandOf(players);
  const band = bands.find(({ playersFrom }) => playersFrom === from);
  return band ? { at, value, band } : null;
}

/** One bucket later than all that were seen. */
function see(settings: LevelSettings, state: LevelState, bucket: LevelBucket, baseline: LevelBaseline): Seen {
  const { at } = bucket;
  const { open } = state;
  const judged = judge(bucket, open?.baseline ?? baseline);
  const inReach = state.recent.filter((earlier) => earlier.at > at - judgedMs);
  const recent = judged ? [...inReach, judged] : inReach;
  if (open) return goOn(settings, { ...state, seenTo: at, recent }, open, at);
  const suffix = judged ? extended(state.suffix, judged) : state.suffix;
  const evidence = isFelt(recent, settings) && isUnusual(recent) ? evidenceOf(recent) : null;
  if (!evidence || !suffix) return { state: { seenTo: at, recent, suffix, open }, change: null };
  const { since } = suffix;
  const opened: OpenLevel = { since, openedAt: at, baseline, evidence, notFelt: 0 };
  return {
    state: { seenTo: at, recent, suffix: null, open: opened },
    change: { kind: "opened", at, since, evidence },
  };
}

/** The finding that lasted so long that its level is what is usual, ended before the bucket at `at` is judged. */
function endNewNormal(state: LevelState, at: Instant): Seen {
  const { open } = state;
  if (!open || at - open.since < newNormalMs) return { state, change: null };
  return {
    // What was judged by the old baseline says nothing of the new one.
    state: { ...unseenLevelState, seenTo: state.seenTo },
    change: { kind: "ended", at, since: open.since, reason: "new_normal" },
  };
}

/**
 * The state after `buckets`, oldest first, and what they changed. `baseline` is that of their day (UTC): buckets of two
 * days take two calls. A bucket that is not later than the newest one seen is ignored, so a call may be repeated.
 */
export function stepUnusualLevel(
  settings: LevelSettings,
  state: LevelState,
  buckets: readonly LevelBucket[],
  baseline: LevelBaseline,
): { readonly state: LevelState; readonly changes: readonly LevelChange[] } {
  const changes: LevelChange[] = [];
  let current = state;
  for (const bucket of buckets) {
    if (current.seenTo !== null && bucket.at <= current.seenTo) continue;
    const before = endNewNormal(current, bucket.at);
    const after = see(settings, before.state, bucket, baseline);
    current = after.state;
    for (const { change } of [before, after]) if (change) changes.push(change);
  }
  return { state: current, changes };
}
