import type { EventSeverity } from "../event/server-event.ts";
import { minuteMs, type Instant } from "../time.ts";
import type { FindingCode, HealthVerdict } from "./health.ts";
import type { StoredHeadline } from "./stored-headline.ts";

export type Beginnings = Readonly<Partial<Record<FindingCode, Instant>>>;

export interface HealthEvaluation {
  readonly verdict: HealthVerdict;
  /** Start of the verdict's unbroken stretch; null if it held as far back as is known. */
  readonly since: Instant | null;
  /** Of the findings whose start is known. */
  readonly beginnings: Beginnings;
  /** Critical findings and warnings, worst first. */
  readonly reasons: readonly FindingCode[];
  readonly headline: StoredHeadline;
}

export interface StoredHealth extends HealthEvaluation {
  readonly serverId: string;
  /** Below 0 it is a mark: new data that no bucket shows, so the server is evaluated at its next bucket. */
  readonly evaluatedAt: Instant;
  /** The first evaluation in a row with this verdict. */
  readonly verdictFrom: Instant;
  /** The verdict that the timeline named last; the first verdict has no entry. */
  readonly announced: HealthVerdict;
  /** From when it must be judged again, because data of the past arrived; null if none did. */
  readonly reopenedFrom: Instant | null;
}

/** Whether nothing came from the server since an evaluation found it down. A mark says nothing of the time. */
export const isStillDown = (
  { verdict, verdictFrom, evaluatedAt }: Pick<StoredHealth, "verdict" | "verdictFrom" | "evaluatedAt">,
  lastHeartbeat: Instant | null,
): boolean => verdict === "down" && Math.max(verdictFrom, evaluatedAt) >= (lastHeartbeat ?? Infinity);

/** A verdict of less than this has no timeline entry, ms; */
const settledMs = 15 * minuteMs;
/** after `down` it has one sooner: the outage is over. */
export const recoveredMs = 2 * minuteMs;

/**
 * `seenMark`: the mark in `evaluatedAt` when the facts were read; null if none. `isAgain`: the past was judged
 * again as well.
 */
export interface EvaluationOccasion {
  readonly now: Instant;
  readonly seenMark: Instant | null;
  readonly isAgain?: boolean;
}

/** A mark that was set after the facts were read stays. */
const evaluatedAfter = (before: StoredHealth | null, { now, seenMark }: EvaluationOccasion): Instant =>
  before !== null && before.evaluatedAt < 0 && before.evaluatedAt !== seenMark ? before.evaluatedAt : now;

/** The past waits to be judged again until that was done with all that had arrived. */
const reopenedAfter = (before: StoredHealth | null, occasion: EvaluationOccasion): Instant | null =>
  before === null || (occasion.isAgain === true && before.evaluatedAt === occasion.seenMark)
    ? null
    : before.reopenedFrom;

export const afterEvaluation = (
  before: StoredHealth | null,
  serverId: string,
  evaluation: HealthEvaluation,
  occasion: EvaluationOccasion,
): StoredHealth => ({
  ...evaluation,
  headline: isStillFirst(before, evaluation)
    ? { ...evaluation.headline, isFirst: true }
    : evaluation.headline,
  serverId,
  evaluatedAt: evaluatedAfter(before, occasion),
  reopenedFrom: reopenedAfter(before, occasion),
  verdictFrom: before?.verdict === evaluation.verdict ? before.verdictFrom : occasion.now,
  announced: announcedBefore(before, evaluation),
});

const isStillFirst = (before: StoredHealth | null, { headline }: HealthEvaluation): boolean =>
  headline.judgedAt !== undefined && (before === null || before.headline.isFirst === true);

/** Each `down` is announced: one after a recovery that was not yet announced turns from the verdict between. */
const announcedBefore = (
  before: StoredHealth | null,
  { verdict }: Pick<HealthEvaluation, "verdict">,
): HealthVerdict => {
  if (before === null) return verdict;
  // That a new server is well is no news.
  if (before.headline.isFirst === true && before.announced === "unknown" && verdict === "healthy")
    return verdict;
  const isAgain = verdict === "down" && before.announced === "down" && before.verdict !== "down";
  return isAgain ? before.verdict : before.announced;
};

/** Whether the timeline should name the verdict now: `down` at once, the end of `down` after two minutes, others after 15. */
export const isDueForTimeline = (
  { verdict, verdictFrom, announced }: Pick<StoredHealth, "verdict" | "verdictFrom" | "announced">,
  now: Instant,
): boolean =>
  verdict !== announced &&
  (verdict === "down" || now - verdictFrom >= (announced === "down" ? recoveredMs : settledMs));

export const severityOfVerdict: Readonly<Record<HealthVerdict, EventSeverity>> = {
  down: "error",
  critical: "error",
  degraded: "warning",
  unknown: "info",
  healthy: "info",
  stopped: "info",
};

/** What an earlier evaluation found. */
export type EarlierEvaluation = Pick<HealthEvaluation, "verdict" | "since" | "beginnings">;

/**
 * The stored evaluation, if that was made after `from`; else null. A marked evaluation does not say when it
 * was made, and gives null.
 */
export const earlierEvaluation = (stored: StoredHealth | null, from: Instant): EarlierEvaluation | null =>
  stored === null || stored.evaluatedAt < from ? null : stored;
