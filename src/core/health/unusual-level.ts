import { medianOfFew } from "../statistics/order.ts";
import { dayMs, hourMs, minuteMs, type Instant } from "../time.ts";
import { bandOf } from "./bands.ts";
import { levelBeginning, lookBackMs } from "./level-beginning.ts";
import {
  baselineDays,
  type BandBaseline,
  type LevelBaseline,
  type LevelBucket,
  type UnusualSpan,
} from "./baseline.ts";

// Figures were chosen by simulation: test/bench/slower-than-usual.bench.ts prints both errors.

/** The last 9 buckets by the clock are judged: 45 minutes. */
const judgedMs = 9 * 5 * minuteMs;
/** The window of its figures. */
export const decidingWords = `median of ${judgedMs / minuteMs} min`;
/** Judged buckets that must have a baseline. */
const leastJudged = 7;
/** % of these that must be above the 98th percentile of their band to open a finding. */
const leastAbovePercent = 80;
/**
 * A finding ends after this many buckets in a row (an hour) that are not felt. The 98th percentile does not
 * count for that: a lasting rise crosses it with the time of day, and would lose its beginning every night.
 */
const recoveredAfter = 12;
/** A lasting rise is usual once a baseline could be made of it alone, ms. */
const newNormalMs = baselineDays * dayMs;
/**
 * Findings with less than this between them, at the same time of the day, are one episode, ms: a slow evening,
 * and the next one.
 */
const episodeGapMs = 36 * hourMs;
/** A start this much before or after that of the finding before is at the same time of the day, ms. */
const sameTimeMs = hourMs;
/** A finding this soon after another one is the same, at whatever time, ms. */
const pauseMs = 3 * hourMs;
/** Least median in a ratio: 0 is no measure. */
const leastMedian = 0.01;

/** A rise is felt if both are reached. */
export interface LevelSettings {
  /** Median of value / median of the band. */
  readonly leastRatio: number;
  /** Median of value - median of the band, in the unit of the field. */
  readonly leastExcess: number;
}

interface JudgedBucket {
  readonly at: Instant;
  readonly value: number;
  readonly band: BandBaseline;
}

/** The baseline of the band with most of the judged buckets, and the level in these buckets. */
export interface LevelEvidence extends BandBaseline {
  /** Median of these buckets, in the unit of the field. */
  readonly value: number;
  readonly measuredAt: Instant;
}

export interface OpenLevel {
  /** Start of its first bucket; fixed when the finding opens. */
  readonly since: Instant;
  /** Start of the first finding of its episode; its own if left out. */
  readonly episode?: Instant;
  /** Start of the bucket that opened it. */
  readonly openedAt: Instant;
  /** Fixed while the finding is open: a lasting rise must not become its own measure. */
  readonly baseline: LevelBaseline;
  /** From the newest bucket that was felt. */
  readonly evidence: LevelEvidence;
  /** The newest buckets in a row that could be judged and were not felt. */
  readonly notFelt: number;
}

/** What is known of one server between two buckets; plain data, stored as JSON. */
export interface LevelState {
  /** Start of the newest bucket seen; null before the first. */
  readonly seenTo: Instant | null;
  /** Buckets of the last 45 minutes with a baseline, oldest first. */
  readonly recent: readonly JudgedBucket[];
  readonly open: OpenLevel | null;
  /** The findings that ended in the last 14 days, oldest first; none if left out. */
  readonly past?: readonly UnusualSpan[];
}

/** `at`: start of the bucket that caused the change. */
export type LevelChange = { readonly at: Instant; readonly since: Instant } & (
  | { readonly kind: "opened"; readonly evidence: LevelEvidence }
  | { readonly kind: "ended"; readonly reason: "recovered" | "new_normal" }
);

export const unseenLevelState: LevelState = { seenTo: null, recent: [], open: null };

const isAbove = ({ value, band }: JudgedBucket): boolean => value > band.p98;

/** Whether the last 45 minutes have a bucket that counts for a finding that would open. */
export const mayOpen = ({ recent }: LevelState): boolean => recent.some(isAbove);

const medianOf = (buckets: readonly JudgedBucket[], value: (bucket: JudgedBucket) => number): number =>
  medianOfFew(buckets.map(value));

const ratioOf = (value: number, band: BandBaseline): number =>
  Math.log(Math.max(value, leastMedian) / Math.max(band.median, leastMedian));

/** Whether these buckets are so far above the usual level that it is felt. */
const isFelt = (recent: readonly JudgedBucket[], { leastRatio, leastExcess }: LevelSettings): boolean =>
  recent.length >= leastJudged &&
  medianOf(recent, ({ value, band }) => value / Math.max(band.median, leastMedian)) >= leastRatio &&
  medianOf(recent, ({ value, band }) => value - band.median) >= leastExcess;

/** A finding is held by a median of at least this much with as many players. */
export const leastToHold = ({ leastRatio, leastExcess }: LevelSettings, { median }: BandBaseline): number =>
  Math.max(leastRatio * Math.max(median, leastMedian), median + leastExcess);

/** The limit that the evidence of an open finding is beyond. */
export function limitOf(
  settings: LevelSettings,
  { value, p98, ...band }: LevelEvidence,
): { readonly threshold: number; readonly heldBy?: "median" } {
  return value > p98
    ? { threshold: p98 }
    : { threshold: leastToHold(settings, { p98, ...band }), heldBy: "median" };
}

/** Medians are rounded to two decimals, so a median may be this much above every sample. */
const roundedBy = 0.01;

/**
 * No finding opens without a sample of this much. More than half of the judged buckets are above their band's
 * 98th percentile and at least half have the ratio, so one bucket has both; and one has the excess.
 */
export function leastToOpen({ leastRatio, leastExcess }: LevelSettings, { bands }: LevelBaseline): number {
  const rare = bands.map(({ median, p98 }) => Math.max(p98, leastRatio * Math.max(median, leastMedian)));
  const excess = bands.map(({ median }) => median + leastExcess);
  return Math.max(Math.min(...rare), Math.min(...excess)) - roundedBy;
}

const isUnusual = (recent: readonly JudgedBucket[]): boolean =>
  recent.filter(isAbove).length * 100 >= recent.length * leastAbovePercent;

/** Of two bands with as many buckets, the one with the newer bucket. */
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

/** What no baseline is made of: the findings that ended, and the open one. */
export const unusualSpans = ({ open, past = [], seenTo }: LevelState): readonly UnusualSpan[] =>
  open === null ? past : [...past, spanOf(open, (seenTo ?? open.since) + 1)];

const spanOf = (open: OpenLevel, until: Instant): UnusualSpan => ({
  since: open.since,
  until,
  episode: episodeOf(open),
});

/** Start of the episode that an open finding belongs to. */
export const episodeOf = ({ since, episode = since }: OpenLevel): Instant => episode;

/**
 * The start of the episode that a finding from `since` on continues; undefined for a new one. Its band of
 * players may be another one: a server has not as many on each evening.
 */
function continued(past: readonly UnusualSpan[], since: Instant): Instant | undefined {
  const last = past.at(-1);
  if (last === undefined || since - last.until >= episodeGapMs) return undefined;
  const later = (since - last.since) % dayMs;
  const isAtSameTime = later <= sameTimeMs || later >= dayMs - sameTimeMs;
  return isAtSameTime || since - last.until < pauseMs ? last.episode : undefined;
}

interface Seen {
  readonly state: LevelState;
  readonly change: LevelChange | null;
}

/** The open finding after one more bucket, which `state` already contains. */
function goOn(settings: LevelSettings, state: LevelState, open: OpenLevel, at: Instant): Seen {
  const { recent } = state;
  const evidence = isFelt(recent, settings) ? evidenceOf(recent) : null;
  if (evidence) return { state: { ...state, open: { ...open, evidence, notFelt: 0 } }, change: null };
  // Buckets without a baseline are no recovery.
  const notFelt = open.notFelt + (recent.length >= leastJudged ? 1 : 0);
  if (notFelt < recoveredAfter) return { state: { ...state, open: { ...open, notFelt } }, change: null };
  const past = (state.past ?? []).filter(({ until }) => until > at - newNormalMs);
  const ended = spanOf(open, at);
  return {
    state: { ...state, open: null, past: [...past, ended] },
    change: { kind: "ended", at, since: open.since, reason: "recovered" },
  };
}

/** Null if the bucket's band has no baseline. */
function judge({ at, value, players }: LevelBucket, { bands }: LevelBaseline): JudgedBucket | null {
  const { from } = bandOf(players);
  const band = bands.find(({ playersFrom }) => playersFrom === from);
  return band ? { at, value, band } : null;
}

/** Where the rise began that these buckets, up to the one that opens a finding, show at their end. */
function beginsAt(
  recent: readonly JudgedBucket[],
  buckets: readonly LevelBucket[],
  baseline: LevelBaseline,
): Instant {
  const judged = buckets.flatMap((bucket) => judge(bucket, baseline) ?? []);
  const began = levelBeginning(judged.map(({ at, value, band }) => ({ at, ratio: ratioOf(value, band) })));
  return began ?? (recent.find(isAbove) ?? recent[0])?.at ?? 0;
}

function see(
  settings: LevelSettings,
  state: LevelState,
  bucket: LevelBucket,
  baseline: LevelBaseline,
  before: () => readonly LevelBucket[],
): Seen {
  const { at } = bucket;
  const { open } = state;
  const judged = judge(bucket, open?.baseline ?? baseline);
  const inReach = state.recent.filter((earlier) => earlier.at > at - judgedMs);
  const recent = judged ? [...inReach, judged] : inReach;
  if (open) return goOn(settings, { ...state, seenTo: at, recent }, open, at);
  const evidence = isFelt(recent, settings) && isUnusual(recent) ? evidenceOf(recent) : null;
  if (!evidence) return { state: { ...state, seenTo: at, recent }, change: null };
  const since = beginsAt(recent, [...before(), bucket], baseline);
  const episode = continued(state.past ?? [], since);
  const opened: OpenLevel = {
    since,
    ...(episode !== undefined && { episode }),
    openedAt: at,
    baseline,
    evidence,
    notFelt: 0,
  };
  return {
    state: { ...state, seenTo: at, recent, open: opened },
    change: { kind: "opened", at, since, evidence },
  };
}

/** Ends a finding that lasted so long that its level is usual, before the bucket at `at` is judged. */
function endNewNormal(state: LevelState, at: Instant): Seen {
  const { open } = state;
  if (!open || at - episodeOf(open) < newNormalMs) return { state, change: null };
  return {
    // What was judged by the old baseline says nothing about the new one.
    state: { ...unseenLevelState, seenTo: state.seenTo },
    change: { kind: "ended", at, since: episodeOf(open), reason: "new_normal" },
  };
}

/** Whether a finding opened: its beginning is known only with the buckets before. */
export const hasOpened = (changes: readonly LevelChange[]): boolean =>
  changes.some(({ kind }) => kind === "opened");

/**
 * Takes in `buckets`, oldest first. `baseline` must be of their day (UTC): buckets of two days need two
 * calls. Buckets that are not later than the newest seen one are ignored, so a call may be repeated.
 * `before`: the buckets of `lookBackMs` before them, in which the beginning of a finding is looked for; they are not judged.
 */
export function stepUnusualLevel(
  settings: LevelSettings,
  state: LevelState,
  buckets: readonly LevelBucket[],
  baseline: LevelBaseline,
  before: readonly LevelBucket[] = [],
): { readonly state: LevelState; readonly changes: readonly LevelChange[] } {
  const changes: LevelChange[] = [];
  let current = state;
  for (const [place, bucket] of buckets.entries()) {
    if (current.seenTo !== null && bucket.at <= current.seenTo) continue;
    const lookBack = (): LevelBucket[] =>
      [...before, ...buckets.slice(0, place)].filter(({ at }) => at > bucket.at - lookBackMs);
    const aged = endNewNormal(current, bucket.at);
    const seen = see(settings, aged.state, bucket, baseline, lookBack);
    current = seen.state;
    for (const { change } of [aged, seen]) if (change) changes.push(change);
  }
  return { state: current, changes };
}
