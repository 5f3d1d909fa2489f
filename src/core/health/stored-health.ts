import type { EventSeverity } from "../event/server-event.ts";
import { minuteMs, type Instant } from "../time.ts";
import type { FindingCode, HealthVerdict, ServerHealth } from "./health.ts";

/** What one evaluation of a server's health says in short. */
export interface HealthEvaluation {
  readonly verdict: HealthVerdict;
  readonly since: Instant | null;
  /** The codes of its critical findings and warnings, worst first. */
  readonly reasons: readonly FindingCode[];
  readonly headline: ServerHealth["headline"];
}

/** The newest evaluation of a server, and what its timeline says of it. */
export interface StoredHealth extends HealthEvaluation {
  readonly serverId: string;
  /** Below 0: something is known since that no bucket shows, and the server is evaluated when its next bucket closes. */
  readonly evaluatedAt: Instant;
  /** The first evaluation in a row that gave this verdict. */
  readonly verdictFrom: Instant;
  /** The verdict that the timeline names last; the first one ever is named by no entry. */
  readonly announced: HealthVerdict;
}

/** A verdict that comes and goes within so long leaves no entry in the timeline. */
const settledMs = 15 * minuteMs;

/** One evaluation: at which instant, and the mark `evaluatedAt` that stood when its facts were read; null for none. */
export interface EvaluationOccasion {
  readonly now: Instant;
  readonly seenMark: Instant | null;
}

/** What is stored after one more evaluation. A mark that was set after its facts were read stays. */
export const afterEvaluation = (
  before: StoredHealth | null,
  serverId: string,
  evaluation: HealthEvaluation,
  { now, seenMark }: EvaluationOccasion,
): StoredHealth => ({
  ...evaluation,
  serverId,
  evaluatedAt:
    before !== null && before.evaluatedAt < 0 && before.evaluatedAt !== seenMark ? before.evaluatedAt : now,
  verdictFrom: before?.verdict === evaluation.verdict ? before.verdictFrom : now,
  announced: before?.announced ?? evaluation.verdict,
});

/** Whether the timeline should name the verdict now: one of 15 minutes, and `down` at once. */
export const isDueForTimeline = (
  { verdict, verdictFrom, announced }: Pick<StoredHealth, "verdict" | "verdictFrom" | "announced">,
  now: Instant,
): boolean => verdict !== announced && (verdict === "down" || now - verdictFrom >= settledMs);

/** The severity of the entry that names a verdict: rules on the timeline choose by it. */
export const severityOfVerdict: Readonly<Record<HealthVerdict, EventSeverity>> = {
  down: "error",
  critical: "error",
  degraded: "warning",
  unknown: "info",
  healthy: "info",
  stopped: "info",
};

/** Since when a finding has held, as an earlier evaluation found it. */
export interface KnownBeginning {
  readonly code: FindingCode;
  readonly since: Instant;
}

/**
 * The beginning of the leading finding of the stored evaluation, where that was made after `from`: a finding that has
 * held since `from` began then. A marked evaluation does not say when it was made.
 */
export function knownBeginningOf(stored: StoredHealth | null, from: Instant): KnownBeginning | null {
  const code = stored?.reasons[0];
  if (!stored || code === undefined || stored.since === null || stored.evaluatedAt < from) return null;
  return { code, since: stored.since };
}
