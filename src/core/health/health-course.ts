import type { AlertRecord } from "../alert/alert.ts";
import { timelineAt, type EventRecord } from "../event/server-event.ts";
import { placeOfTime } from "../metric/chunk.ts";
import { dayMs, type Instant } from "../time.ts";
import { beginsBefore, findingsOf, judgeHealth } from "./evaluate.ts";
import type { HealthFacts, UsualTicks } from "./facts.ts";
import { lowMs } from "./field-low.ts";
import { formerState } from "./former-state.ts";
import {
  isDueForTimeline,
  type EarlierEvaluation,
  type HealthEvaluation,
  type StoredHealth,
} from "./stored-health.ts";
import { diskGrowthMs, startingMs, watchedMs } from "./thresholds.ts";
import type { HealthVerdict } from "./health.ts";

/** A verdict that settled, as the timeline names it. */
export interface VerdictChange {
  readonly at: Instant;
  readonly from: HealthVerdict;
  readonly evaluation: HealthEvaluation;
}

/** What was known when the stretch begins. */
export interface CourseStart {
  readonly earlier: EarlierEvaluation | null;
  /** The verdict that the timeline named last; null if it never named one. */
  readonly announced: HealthVerdict | null;
}

/** `verdictFrom`: the first evaluation in a row with the verdict. */
export interface HealthCourse {
  readonly evaluation: HealthEvaluation;
  readonly verdictFrom: Instant;
  readonly announced: HealthVerdict;
  readonly changes: readonly VerdictChange[];
}

/** What is to be written after the past was judged again. */
export interface JudgedAgain {
  /** The stored health as it would be now. */
  readonly stored: StoredHealth;
  /** Entries of the timeline that the data does not support any more. */
  readonly revised: readonly EventRecord[];
  /** Entries that were missing. */
  readonly added: readonly EventRecord[];
}

/** The stored health as if the course had been judged bucket by bucket until `at`. */
export const afterCourse = (stored: StoredHealth, course: HealthCourse, at: Instant): StoredHealth => ({
  ...stored,
  ...course.evaluation,
  verdictFrom: course.verdictFrom,
  announced: course.announced,
  evaluatedAt: at,
});

/** The newest start of the server by `at`. */
function bootBy({ bootAt }: HealthFacts, events: readonly EventRecord[], at: Instant): Instant | null {
  if (bootAt !== null && bootAt <= at) return bootAt;
  const start = events.find(({ type }) => type === "server_start");
  return start ? timelineAt(start) : null;
}

const openAt = (alerts: readonly AlertRecord[], at: Instant): AlertRecord[] =>
  alerts
    .filter(({ openedAt, resolvedAt }) => openedAt <= at && (resolvedAt === null || resolvedAt > at))
    .map((alert) => Object.assign({}, alert, { status: "open" }));

/** The part of the facts that was to be known at `to`: `whole` reaches further in both directions. */
function factsAt(whole: HealthFacts, to: Instant, usual: UsualTicks): HealthFacts {
  const sampleTimes = whole.sampleTimes.subarray(0, placeOfTime(whole.sampleTimes, to));
  const events = whole.events.filter((event) => timelineAt(event) <= to);
  const transitions = whole.transitions.filter(({ at }) => at <= to);
  const bootAt = bootBy(whole, events, to);
  return {
    ...whole,
    from: to - dayMs,
    to,
    ...formerState(to, sampleTimes, { events, transitions }),
    bootAt,
    samples: whole.samples.between(to - watchedMs, to),
    samplesFrom: to - watchedMs,
    sampleTimes,
    transitions,
    events,
    alerts: openAt(whole.alerts, to),
    heapLows: whole.heapLows.filter(({ at }) => at + lowMs <= to && at >= (bootAt ?? Infinity) + startingMs),
    diskLows: whole.diskLows.filter(({ at }) => at + lowMs <= to && at >= to - diskGrowthMs),
    usual,
    regressionSince:
      whole.regressionSince !== null && whole.regressionSince < to ? whole.regressionSince : null,
  };
}

/** Adds all samples that are known if the leading finding began before those of the last hours. */
function traced(whole: HealthFacts, facts: HealthFacts): HealthFacts {
  const leading = findingsOf(facts)
    .filter(({ severity }) => severity !== "info")
    .slice(0, 1);
  return beginsBefore(facts, leading)
    ? { ...facts, samples: whole.samples.between(0, facts.to), samplesFrom: whole.samplesFrom }
    : facts;
}

/**
 * Judges a server again at each of `times`, in order, as it would have been judged then if all data had been
 * there; yields after each, which takes up to a ms. `whole`: the facts of the stretch and of the day before it.
 */
export function* healthCourse(
  whole: HealthFacts,
  times: readonly Instant[],
  usualAt: (at: Instant) => UsualTicks,
  start: CourseStart,
): Generator<void, HealthCourse | null> {
  const changes: VerdictChange[] = [];
  let { earlier, announced } = start;
  let last: Omit<HealthCourse, "changes" | "announced"> | null = null;
  for (const at of times) {
    const facts = traced(whole, { ...factsAt(whole, at, usualAt(at)), earlier });
    const { findings: _, ...evaluation } = judgeHealth(facts);
    const { verdict } = evaluation;
    const verdictFrom: Instant = last?.evaluation.verdict === verdict ? last.verdictFrom : at;
    announced ??= verdict;
    if (isDueForTimeline({ verdict, verdictFrom, announced }, at)) {
      changes.push({ at, from: announced, evaluation });
      announced = verdict;
    }
    earlier = evaluation;
    last = { evaluation, verdictFrom };
    yield;
  }
  return last === null || announced === null ? null : { ...last, announced, changes };
}
