import { clockToleranceMs } from "../metric/clock.ts";
import { shareOfFullRate } from "../metric/target-rate.ts";
import type { Instant } from "../time.ts";
import type { AlertCondition, RuleProgress, SampleMetric } from "./alert-rule.ts";
import type { Fact, MeasuredFact, WatchedServer } from "./fact.ts";
import { isBreach, isGood, worse } from "./limits.ts";
import { dataLossMs, gapMs, pauseEndsMs, recoveryMs, settled, type AlertStep } from "./step.ts";
import type { OpenAlert } from "./verdict.ts";

export interface MetricRule {
  readonly metric: SampleMetric;
  readonly condition: AlertCondition;
  readonly threshold: number;
  readonly durationMs: number;
}

export function watchMetric(
  rule: MetricRule,
  progress: RuleProgress,
  open: OpenAlert | null,
  fact: Fact,
): AlertStep {
  const still = watchesTicks(rule.metric) ? fact.server.pausedEmptySince : null;
  if (still !== null && hasPausedLong(still, fact.now)) {
    return settled("no_data", open && { kind: "resolve", reason: "paused_empty" });
  }
  if (fact.kind === "sweep") return afterSilence(progress, open, fact.server, fact.now);
  const value = still === null ? fact.values[rule.metric] : null;
  if (value === null) return settled(open ? "firing" : "no_data");
  const judged = { ...rule, threshold: thresholdAt(rule, fact) };
  return open ? whileOpen(judged, progress, open, fact, value) : whileClosed(judged, progress, fact, value);
}

/** A server that is set to fewer ticks is judged by them: with half of them 18 ticks become 9, and 50 ms 100. */
function thresholdAt({ metric, threshold }: MetricRule, { targetTps }: MeasuredFact): number {
  const share = shareOfFullRate(targetTps);
  if (share === 1) return threshold;
  return metric === "tps" ? threshold * share : metric === "mspt" ? threshold / share : threshold;
}

export const watchesTicks = (metric: SampleMetric): boolean => metric === "tps" || metric === "mspt";

/** A pause that starts beyond the clock tolerance was noted by a wrong clock, and counts as an old one. */
const hasPausedLong = (since: Instant, now: Instant): boolean =>
  now - since >= pauseEndsMs || since - now > clockToleranceMs;

function afterSilence(
  { state, pendingSince, recoveringSince }: RuleProgress,
  open: OpenAlert | null,
  { sampleReceivedAt }: WatchedServer,
  now: Instant,
): AlertStep {
  // A sample far in the future counts as old: the service's clock was set back.
  const silence = sampleReceivedAt === null ? Number.POSITIVE_INFINITY : Math.abs(now - sampleReceivedAt);
  if (silence <= gapMs) return { state, pendingSince, recoveringSince, change: null };
  const isLost = open !== null && silence >= dataLossMs;
  return settled("no_data", isLost ? { kind: "resolve", reason: "no_data" } : null);
}

/** Start of a condition that this sample shows; an earlier start counts only if no gap lies between. */
function sinceWhen(kept: Instant | null, { at, previousAt }: MeasuredFact): Instant {
  const continues = previousAt !== null && previousAt <= at && at - previousAt <= gapMs;
  return continues ? (kept ?? at) : at;
}

function whileClosed(rule: MetricRule, progress: RuleProgress, fact: MeasuredFact, value: number): AlertStep {
  if (!isBreach(rule.condition, rule.threshold, value)) return settled("ok");
  const since = sinceWhen(progress.pendingSince, fact);
  if (fact.at - since < rule.durationMs) return { ...settled("pending"), pendingSince: since };
  return settled("firing", { kind: "open", pendingSince: Math.min(since, fact.now), value });
}

function whileOpen(
  { metric, condition, threshold }: MetricRule,
  progress: RuleProgress,
  { worstValue }: OpenAlert,
  fact: MeasuredFact,
  value: number,
): AlertStep {
  if (isBreach(condition, threshold, value)) {
    const isWorse = worstValue === null || worse(worstValue, value, condition) !== worstValue;
    return settled("firing", isWorse ? { kind: "worsen", worstValue: value } : null);
  }
  if (!isGood(metric, condition, threshold, value)) return settled("firing");
  const since = sinceWhen(progress.recoveringSince, fact);
  if (fact.at - since >= recoveryMs) return settled("ok", { kind: "resolve", reason: "recovered" });
  return { ...settled("firing"), recoveringSince: since };
}
