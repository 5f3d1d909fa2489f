import { bucketMs } from "../../metric/chunk.ts";
import { hourMs, minuteMs, toTimestamp, type Instant } from "../../time.ts";
import { median } from "../../statistics/order.ts";
import type { HealthFacts } from "../facts.ts";
import type { HealthField } from "../health-fields.ts";
import type { HealthSamples } from "../health-samples.ts";
import type { HealthEvidence, FindingCode, FindingSeverity, NextStep } from "../health.ts";
import { leastSamplesNow, nowMs, startingMs, watchedMs } from "../thresholds.ts";

export interface Beginning {
  readonly since: Instant | null;
  /** Whether it held as far back as is known: it began at `since` or before, so no answer shows `since`. */
  readonly sinceIsAtLeast?: boolean;
}

/** `raisesTo`: the severity while ticks are late or the server is down. */
export interface FoundProblem extends Beginning {
  readonly code: FindingCode;
  readonly severity: FindingSeverity;
  readonly raisesTo?: FindingSeverity;
  /** Whether it is an episode with breaks, as of every evening. */
  readonly intermittent?: boolean;
  /** Whether figures opened it that were higher than now, and their median holds it. */
  readonly heldBy?: "median";
  /** The plugin it is about; third-party text. */
  readonly subject?: string;
  /** What a crash report suspects; third-party text. */
  readonly suspects?: readonly string[];
  /** When it ended after a past period; left out while it holds or if unknown. */
  readonly until?: Instant | null;
  readonly evidence: readonly HealthEvidence[];
  readonly next: readonly NextStep[];
  /** The headline if this finding leads: a constant sentence with figures. */
  readonly text: string;
}

/** Null if the rule finds nothing. */
export type HealthRule = (facts: HealthFacts) => FoundProblem | null;

export const evidenceFigure = (
  key: string,
  value: number,
  unit: HealthEvidence["unit"],
  threshold: number | null,
  at: Instant,
): HealthEvidence => ({ key, value, unit, threshold, measured_at: toTimestamp(at) });

export const oneDecimal = (value: number): number => Math.round(value * 10) / 10;

/** Only in these states do tick figures describe the present. */
export const isTicking = ({ state }: HealthFacts): boolean => state === "running" || state === "unresponsive";

export const isStarting = ({ bootAt, to, state }: HealthFacts): boolean =>
  state === "running" && bootAt !== null && to - bootAt < startingMs;

/** The first sample after the last time without data as long as "now"; null where that is not in the samples. */
function dataSince({ samples: { times }, firstSampleAt, to }: HealthFacts): Instant | null {
  // The clock of the first sample may be ahead of ours.
  if (times.length === 0) return firstSampleAt !== null && firstSampleAt > to - nowMs ? firstSampleAt : null;
  for (let place = times.length - 1; place >= 0; place -= 1) {
    const at = times[place] ?? to;
    if (at <= to - nowMs) return null;
    if (at - (times[place - 1] ?? -Infinity) > nowMs) return at;
  }
  return null;
}

/** When a running server with less than 15 minutes of data, or of its boot, will be judged; null once it is. */
export function judgedAt(facts: HealthFacts): Instant | null {
  if (facts.state !== "running") return null;
  const since = Math.max(facts.bootAt ?? -Infinity, dataSince(facts) ?? -Infinity);
  return since + nowMs > facts.to ? since + nowMs : null;
}

/** Samples since `from`, without those of a start and of maintenance windows. */
export function judgedSamples(
  { samples, bootAt, maintenance, to }: HealthFacts,
  from: Instant,
): HealthSamples {
  const since = samples.between(from, to);
  const start = bootAt === null ? [] : [{ startedAt: bootAt, endsAt: bootAt + startingMs }];
  const first = since.at(0) ?? to;
  const left = [...start, ...maintenance].filter(({ startedAt, endsAt }) => endsAt > first && startedAt < to);
  return left.length === 0 ? since : since.outside(left);
}

export const watchedSamples = ({ samples, to }: HealthFacts): HealthSamples =>
  samples.between(to - watchedMs);

/** Median of the last 15 minutes; null with too few measured values, or while nothing ticks. */
export function medianNow(facts: HealthFacts, field: HealthField): number | null {
  if (!isTicking(facts) || isStarting(facts)) return null;
  const values = judgedSamples(facts, facts.to - nowMs).values(field);
  return values.length < leastSamplesNow ? null : median(values);
}

/** The window of the figures of "now". */
export const nowWords = `median of ${nowMs / minuteMs} min`;

/** The end of the period if no sample has the field. */
export const lastMeasuredAt = (facts: HealthFacts, field: HealthField): Instant =>
  facts.samples.newest(field)?.at ?? facts.to;

interface Episode extends Beginning {
  readonly since: Instant;
  readonly sinceIsAtLeast: boolean;
  /** The pieces of evidence in it. */
  readonly count: number;
  /** From the first piece to the newest one. */
  readonly hours: number;
}

/**
 * The newest episode: pieces of evidence (times, oldest first) of which two are at most `gapMs` apart. Pieces
 * before `readFrom` are not known. Null without a piece.
 */
export function newestEpisode(times: readonly Instant[], gapMs: number, readFrom: Instant): Episode | null {
  const newest = times.at(-1);
  if (newest === undefined) return null;
  let first = times.length - 1;
  while (first > 0 && (times[first] ?? 0) - (times[first - 1] ?? 0) <= gapMs) first -= 1;
  const since = times[first] ?? newest;
  return {
    since,
    sinceIsAtLeast: since - gapMs < readFrom,
    count: times.length - first,
    hours: (newest - since) / hourMs,
  };
}

/** The length of an episode; none below an hour. */
export const overHours = ({ hours }: Episode, at: Instant): HealthEvidence[] =>
  hours < 1 ? [] : [evidenceFigure("over_hours", oneDecimal(hours), "hours", null, at)];

interface HeldOptions {
  /** Length of a stretch, ms; stretches begin at multiples of it since the Unix epoch. */
  readonly lengthMs?: number;
  readonly from?: Instant;
  /** Stretches in a row without the condition that end it. */
  readonly endedBy?: number;
}

/**
 * How long a condition on stretches (five minutes, or `lengthMs`) has held, going back from the end of the
 * period. The newest stretch counts as held; a stretch for which `holds` gives null is skipped.
 */
export function heldSince(
  facts: HealthFacts,
  holds: (samples: HealthSamples) => boolean | null,
  { lengthMs = bucketMs, from = 0, endedBy = 1 }: HeldOptions = {},
): Beginning {
  const samples = judgedSamples(facts, from);
  const firstKnown = Math.max(facts.samplesFrom, facts.firstSampleAt ?? 0);
  const oldest = Math.max(from, facts.firstSampleAt ?? 0);
  let since: Instant | null = null;
  let quiet = 0;
  for (let end = samples.length, first = end; end > 0; end = first) {
    const start = Math.floor((samples.at(end - 1) ?? 0) / lengthMs) * lengthMs;
    while (first > 0 && (samples.at(first - 1) ?? 0) >= start) first -= 1;
    const held = since === null || holds(samples.part(first, end));
    if (held === null) continue;
    quiet = held ? 0 : quiet + 1;
    if (quiet === endedBy) return { since };
    if (held) since = Math.max(start, oldest);
  }
  // Less quiet than ends a condition tells its start if there is nothing before.
  const isKnown = from > firstKnown || (quiet > 0 && firstKnown > facts.samplesFrom);
  return { since, sinceIsAtLeast: since !== null && !isKnown };
}

/**
 * For 5-minute medians. A break shorter than "now" does not end the condition, because "now" is judged by its
 * median too.
 */
export const mediansHeldSince = (
  facts: HealthFacts,
  field: HealthField,
  holds: (value: number) => boolean,
): Beginning =>
  heldSince(
    facts,
    (samples) => {
      const values = samples.values(field);
      return values.length === 0 ? null : holds(median(values));
    },
    { endedBy: nowMs / bucketMs },
  );
