import { bucketMs } from "../../metric/chunk.ts";
import { toTimestamp, type Instant } from "../../time.ts";
import { median } from "../../statistics/order.ts";
import type { HealthFacts } from "../facts.ts";
import type { HealthField } from "../health-fields.ts";
import type { HealthSamples } from "../health-samples.ts";
import type { HealthEvidence, FindingCode, FindingSeverity, NextStep } from "../health.ts";
import { leastSamplesNow, nowMs, startingMs, watchedMs } from "../thresholds.ts";

/** Since when a finding holds. */
export interface Beginning {
  readonly since: Instant | null;
  /** Whether it held as far back as is known: it began at `since` or before. */
  readonly sinceIsAtLeast?: boolean;
}

/** What a rule found; `raisesTo` is its severity while the server's ticks are late or the server is down. */
export interface FoundProblem extends Beginning {
  readonly code: FindingCode;
  readonly severity: FindingSeverity;
  readonly raisesTo?: FindingSeverity;
  /** The plugin it is about, as others named it. */
  readonly subject?: string;
  /** When it ended after a period that is over; left out while it holds, and where nobody knows. */
  readonly until?: Instant | null;
  readonly evidence: readonly HealthEvidence[];
  readonly next: readonly NextStep[];
  /** The headline where this finding leads: a constant sentence with figures. */
  readonly text: string;
}

/** One rule of the table: null where its condition does not hold. */
export type HealthRule = (facts: HealthFacts) => FoundProblem | null;

export const evidenceFigure = (
  key: string,
  value: number,
  unit: HealthEvidence["unit"],
  threshold: number | null,
  at: Instant,
): HealthEvidence => ({ key, value, unit, threshold, measured_at: toTimestamp(at) });

/** One decimal, as evidence and headlines show figures. */
export const oneDecimal = (value: number): number => Math.round(value * 10) / 10;

/** States in which the game ticks: only then do its figures say something of now. */
export const isTicking = ({ state }: HealthFacts): boolean => state === "running" || state === "unresponsive";

/** Whether the server booted so short a time ago that its ticks are not judged. */
export const isStarting = ({ bootAt, to, state }: HealthFacts): boolean =>
  state === "running" && bootAt !== null && to - bootAt < startingMs;

/** Samples since `from` that are judged: those of a start and of a maintenance window are left out. */
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

/** The samples of the last three hours, judged or not. */
export const watchedSamples = ({ samples, to }: HealthFacts): HealthSamples =>
  samples.between(to - watchedMs);

/** The median of a field over the last 15 minutes; null with too few measured values, or while nothing ticks. */
export function medianNow(facts: HealthFacts, field: HealthField): number | null {
  if (!isTicking(facts) || isStarting(facts)) return null;
  const values = judgedSamples(facts, facts.to - nowMs).values(field);
  return values.length < leastSamplesNow ? null : median(values);
}

/** The newest sample that has the field, at the latest the end of the period. */
export const lastMeasuredAt = (facts: HealthFacts, field: HealthField): Instant =>
  facts.samples.newest(field)?.at ?? facts.to;

/** How far back a condition is followed. */
interface HeldOptions {
  /** The length of a stretch, ms; a stretch begins at a multiple of it since the Unix epoch. */
  readonly lengthMs?: number;
  readonly from?: Instant;
  /** Stretches in a row in which the condition does not hold, and which end it. */
  readonly endedBy?: number;
}

/**
 * Since when a condition on stretches of time, five minutes or `lengthMs`, has held, going back from the end of the
 * period. The newest stretch is taken for granted, one of which the condition knows nothing is left out.
 */
export function heldSince(
  facts: HealthFacts,
  holds: (samples: HealthSamples) => boolean | null,
  { lengthMs = bucketMs, from = 0, endedBy = 1 }: HeldOptions = {},
): Beginning {
  const samples = judgedSamples(facts, from);
  const oldest = Math.max(from, facts.firstSampleAt ?? from);
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
  return { since, sinceIsAtLeast: since !== null && oldest < facts.samplesFrom };
}

/**
 * Since when the medians of five minutes of a field have been such. What interrupts them for less than "now" is long
 * interrupts no finding either: "now" is judged by its median.
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
