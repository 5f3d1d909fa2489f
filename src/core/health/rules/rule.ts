import { toTimestamp, type Instant } from "../../time.ts";
import { median } from "../../statistics/order.ts";
import type { HealthFacts, HealthField, HealthSample } from "../facts.ts";
import type { HealthEvidence, FindingCode, FindingSeverity, NextStep } from "../health.ts";
import { leastSamplesNow, nowMs, startingMs } from "../thresholds.ts";

/** What a rule found; `raisesTo` is its severity while the server's ticks are late or the server is down. */
export interface FoundProblem {
  readonly code: FindingCode;
  readonly severity: FindingSeverity;
  readonly raisesTo?: FindingSeverity;
  readonly since: Instant | null;
  readonly evidence: readonly HealthEvidence[];
  readonly next: readonly NextStep[];
  /** The headline where this finding leads: a constant sentence with figures. */
  readonly text: string;
}

/** One rule of the table: null where its condition does not hold. */
export type HealthRule = (facts: HealthFacts) => FoundProblem | null;

export const step = (action: NextStep["action"], tool: string | null = null): NextStep => ({ action, tool });

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

const isCounted =
  ({ bootAt, maintenance }: HealthFacts) =>
  ({ at }: HealthSample): boolean =>
    !(bootAt !== null && at >= bootAt && at < bootAt + startingMs) &&
    !maintenance.some(({ startedAt, endsAt }) => at >= startedAt && at < endsAt);

/** Samples since `from` that are judged: those of a start and of a maintenance window are left out. */
export const judgedSamples = (facts: HealthFacts, from: Instant): readonly HealthSample[] =>
  facts.samples.filter((sample) => sample.at >= from && sample.at < facts.to).filter(isCounted(facts));

/** The measured values of a field, with their instants. */
export function measured(
  samples: readonly HealthSample[],
  field: HealthField,
): readonly { readonly at: Instant; readonly value: number }[] {
  return samples.flatMap((sample) => {
    const value = sample[field];
    return value === null ? [] : [{ at: sample.at, value }];
  });
}

/** The median of a field over the last 15 minutes; null with too few measured values, or while nothing ticks. */
export function medianNow(facts: HealthFacts, field: HealthField): number | null {
  if (!isTicking(facts) || isStarting(facts)) return null;
  const values = measured(judgedSamples(facts, facts.to - nowMs), field).map(({ value }) => value);
  return values.length < leastSamplesNow ? null : median(values);
}

/** The newest sample that has the field, at the latest the end of the period. */
export const lastMeasuredAt = (facts: HealthFacts, field: HealthField): Instant =>
  measured(facts.samples, field).at(-1)?.at ?? facts.to;

const bucketMs = 5 * 60_000;

/**
 * Since when a condition on five-minute medians has held without a break, going back from the end of the period; null
 * where it already held in the oldest bucket that is known.
 */
export function heldSince(
  facts: HealthFacts,
  field: HealthField,
  holds: (value: number) => boolean,
): Instant | null {
  const buckets = new Map<number, number[]>();
  for (const { at, value } of measured(judgedSamples(facts, 0), field)) {
    const start = facts.to - bucketMs * Math.ceil((facts.to - at) / bucketMs);
    const values = buckets.get(start);
    if (values) values.push(value);
    else buckets.set(start, [value]);
  }
  const newestFirst = [...buckets].toSorted(([one], [other]) => other - one);
  const broken = newestFirst.findIndex(([, values], index) => index > 0 && !holds(median(values)));
  if (broken < 0) return null;
  return newestFirst[broken - 1]?.[0] ?? null;
}
