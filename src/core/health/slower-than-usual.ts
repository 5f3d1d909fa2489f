import { middle } from "../statistics/order.ts";
import { dayMs, minuteMs, type Instant } from "../time.ts";
import { bandOf } from "./bands.ts";
import { baselineDays, type BandBaseline, type TickBaseline, type TickBucket } from "./baseline.ts";

// Every figure here was chosen by simulation: test/bench/slower-than-usual.bench.ts prints what it does to both errors.

/** The last 9 buckets by the clock are judged: 45 minutes. */
const judgedMs = 9 * 5 * minuteMs;
/** Of them so many have a baseline at least, */
const leastJudged = 7;
/** the median of value / median of the band is at least this, */
const leastRatio = 1.25;
/** and the median of value - median of the band at least so many ms: less is not felt. */
const leastExcessMs = 5;
/** A finding opens when so many percent of them lie above the 98th percentile of their band, too. */
const leastAbovePercent = 80;
/**
 * It ends after so many buckets in a row (an hour of them) at which it is not felt. The 98th percentile has no part in
 * that: a slowdown crosses it to and fro with the hour of the day, and would lose its beginning every night.
 */
const recoveredAfter = 12;
/** `since` is where a bucket above counts +1 and any other so much: a stretch of less than 80 % above does not pay. */
const notAboveScore = -4;
/** A lasting slowdown is what is usual once a baseline could stand on it alone. */
const newNormalMs = baselineDays * dayMs;
/** A band's median counts as at least so many ms in a ratio: 0 is no measure. */
const leastMedianMs = 0.01;

/** A bucket with what its band needed usually, on its day. */
interface JudgedBucket {
  readonly at: Instant;
  readonly mspt: number;
  readonly band: BandBaseline;
}

/** Why the finding is made: the baseline of the band with most of the buckets judged, and what those buckets needed. */
export interface SlowEvidence extends BandBaseline {
  /** Median of the buckets, ms a tick. */
  readonly value: number;
  /** Start of the newest bucket judged. */
  readonly measuredAt: Instant;
}

/** A finding that has not ended. */
export interface OpenSlowness {
  /** Start of the first bucket of the slowdown; fixed when the finding opens. */
  readonly since: Instant;
  /** Start of the bucket that opened it. */
  readonly openedAt: Instant;
  /** Stands still while the finding is open: a lasting slowdown must not become its own measure. */
  readonly baseline: TickBaseline;
  /** As of the newest bucket at which it was felt. */
  readonly evidence: SlowEvidence;
  /** Buckets in a row, the newest ones, at which it could be judged and was not felt. */
  readonly notFelt: number;
}

/** All that is known of one server between two buckets; plain data, to be kept as JSON. */
export interface SlowState {
  /** Start of the newest bucket seen; null before the first. */
  readonly seenTo: Instant | null;
  /** Those of the last 45 minutes that have a baseline, oldest first. */
  readonly recent: readonly JudgedBucket[];
  /** While no finding is open: the suffix of buckets with the largest sum, if that is above 0. */
  readonly suffix: { readonly since: Instant; readonly sum: number } | null;
  readonly open: OpenSlowness | null;
}

/** What a bucket changed. `at`: the start of that bucket. */
export type SlowChange = { readonly at: Instant; readonly since: Instant } & (
  | { readonly kind: "opened"; readonly evidence: SlowEvidence }
  | { readonly kind: "ended"; readonly reason: "recovered" | "new_normal" }
);

/** The state of a server none of whose buckets was seen. */
export const unseenSlowState: SlowState = { seenTo: null, recent: [], suffix: null, open: null };

const isAbove = ({ mspt, band }: JudgedBucket): boolean => mspt > band.p98;

/** The median of a few buckets. Sorting a plain array of nine numbers costs less than the typed array of `median`. */
function medianOf(buckets: readonly JudgedBucket[], value: (bucket: JudgedBucket) => number): number {
  const [low, high] = middle(buckets.map(value).sort((a, b) => a - b));
  return (low + high) / 2;
}

/** Whether these buckets need so much more than usual that it is felt. */
const isFelt = (recent: readonly JudgedBucket[]): boolean =>
  recent.length >= leastJudged &&
  medianOf(recent, ({ mspt, band }) => mspt / Math.max(band.median, leastMedianMs)) >= leastRatio &&
  medianOf(recent, ({ mspt, band }) => mspt - band.median) >= leastExcessMs;

/** Whether that is also rare enough to make a finding of it. */
const isUnusual = (recent: readonly JudgedBucket[]): boolean =>
  recent.filter(isAbove).length * 100 >= recent.length * leastAbovePercent;

/** The suffix after one more bucket; of two with the same sum the shorter one. */
function extended(suffix: SlowState["suffix"], bucket: JudgedBucket): SlowState["suffix"] {
  const sum = (suffix?.sum ?? 0) + (isAbove(bucket) ? 1 : notAboveScore);
  return sum > 0 ? { since: suffix?.since ?? bucket.at, sum } : null;
}

/** The evidence of buckets that are slow; of two bands with as many of them that of the newer ones. */
function evidenceOf(recent: readonly JudgedBucket[]): SlowEvidence | null {
  const newest = recent.at(-1);
  if (!newest) return null;
  let [leading, most] = [newest, 0];
  for (const bucket of recent) {
    let alike = 0;
    for (const other of recent) if (other.band.playersFrom === bucket.band.playersFrom) alike += 1;
    if (alike >= most) [leading, most] = [bucket, alike];
  }
  const ofBand = recent.filter(({ band }) => band.playersFrom === leading.band.playersFrom);
  return { ...leading.band, value: medianOf(ofBand, ({ mspt }) => mspt), measuredAt: newest.at };
}

interface Seen {
  readonly state: SlowState;
  readonly change: SlowChange | null;
}

/** The open finding after one more bucket, which is in `state` already. */
function goOn(state: SlowState, open: OpenSlowness, at: Instant): Seen {
  const { recent } = state;
  const evidence = isFelt(recent) ? evidenceOf(recent) : null;
  if (evidence) return { state: { ...state, open: { ...open, evidence, notFelt: 0 } }, change: null };
  // Without a baseline nobody knows: that is no recovery.
  const notFelt = open.notFelt + (recent.length >= leastJudged ? 1 : 0);
  if (notFelt < recoveredAfter) return { state: { ...state, open: { ...open, notFelt } }, change: null };
  return {
    // A slowdown that begins within this hour may be in these buckets already.
    state: { ...state, suffix: recent.reduce(extended, null), open: null },
    change: { kind: "ended", at, since: open.since, reason: "recovered" },
  };
}

/** The bucket beside its band; null when the band has no baseline. */
function judge({ at, mspt, players }: TickBucket, { bands }: TickBaseline): JudgedBucket | null {
  const { from } = bandOf(players);
  const band = bands.find(({ playersFrom }) => playersFrom === from);
  return band ? { at, mspt, band } : null;
}

/** One bucket later than all that were seen. */
function see(state: SlowState, bucket: TickBucket, baseline: TickBaseline): Seen {
  const { at } = bucket;
  const { open } = state;
  const judged = judge(bucket, open?.baseline ?? baseline);
  const inReach = state.recent.filter((earlier) => earlier.at > at - judgedMs);
  const recent = judged ? [...inReach, judged] : inReach;
  if (open) return goOn({ ...state, seenTo: at, recent }, open, at);
  const suffix = judged ? extended(state.suffix, judged) : state.suffix;
  const evidence = isFelt(recent) && isUnusual(recent) ? evidenceOf(recent) : null;
  if (!evidence || !suffix) return { state: { seenTo: at, recent, suffix, open }, change: null };
  const { since } = suffix;
  const opened: OpenSlowness = { since, openedAt: at, baseline, evidence, notFelt: 0 };
  return {
    state: { seenTo: at, recent, suffix: null, open: opened },
    change: { kind: "opened", at, since, evidence },
  };
}

/** The finding that lasted so long that its level is what is usual, ended before the bucket at `at` is judged. */
function endNewNormal(state: SlowState, at: Instant): Seen {
  const { open } = state;
  if (!open || at - open.since < newNormalMs) return { state, change: null };
  return {
    // What was judged by the old baseline says nothing of the new one.
    state: { ...unseenSlowState, seenTo: state.seenTo },
    change: { kind: "ended", at, since: open.since, reason: "new_normal" },
  };
}

/**
 * The state after `buckets`, oldest first, and what they changed. `baseline` is that of their day (UTC): buckets of two
 * days take two calls. A bucket that is not later than the newest one seen is ignored, so a call may be repeated.
 */
export function stepSlowerThanUsual(
  state: SlowState,
  buckets: readonly TickBucket[],
  baseline: TickBaseline,
): { readonly state: SlowState; readonly changes: readonly SlowChange[] } {
  const changes: SlowChange[] = [];
  let current = state;
  for (const bucket of buckets) {
    if (current.seenTo !== null && bucket.at <= current.seenTo) continue;
    const before = endNewNormal(current, bucket.at);
    const after = see(before.state, bucket, baseline);
    current = after.state;
    for (const { change } of [before, after]) if (change) changes.push(change);
  }
  return { state: current, changes };
}
