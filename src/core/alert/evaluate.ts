import { minuteMs, type Instant } from "../time.ts";
import type { EvaluatedRule, RuleProgress } from "./alert-rule.ts";
import { channelRecords } from "./delivery.ts";
import type { Fact } from "./fact.ts";
import { isMuted, noteOpening, quietOf } from "./quiet.ts";
import { settled, type AlertStep } from "./step.ts";
import type { AlertChange, OpenAlert, Verdict } from "./verdict.ts";
import { watchMetric } from "./watch-metric.ts";
import { watchServer } from "./watch-server.ts";

/**
 * Evaluates a rule and its open alert (null if none). Pure; no instant in a change is later than `fact.now`,
 * and `progress` is the rule's own object if it did not change. A rule on a metric without condition or
 * threshold, which `ruleProblem` refuses, gets `no_data`.
 */
export function evaluate(rule: EvaluatedRule, open: OpenAlert | null, fact: Fact): Verdict {
  const { now, server } = fact;
  // The change that switched the rule off closed its alert.
  if (!rule.enabled) return { progress: paused(rule.progress, now), changes: [] };
  if (server.status === "not_monitored") {
    const changes: AlertChange[] = open ? [{ kind: "resolve", reason: "monitoring_off" }] : [];
    return { progress: paused(rule.progress, now), changes };
  }
  const before = resumed(rule.progress, now);
  const step = stepOf(rule, before, open, fact);
  const next = moved(before, step, now);
  if (step.change?.kind === "open") return opened(rule, next, step.change, fact);
  const changes: AlertChange[] = step.change ? [step.change] : [];
  if (open && step.change?.kind !== "resolve" && isOwed(rule, open, fact)) {
    changes.push({ kind: "tell" });
  }
  return { progress: next, changes };
}

function stepOf(rule: EvaluatedRule, progress: RuleProgress, open: OpenAlert | null, fact: Fact): AlertStep {
  const durationMs = rule.durationMinutes * minuteMs;
  const { metric, condition, threshold } = rule;
  if (metric === "offline") return watchServer(durationMs, progress, open, fact.server, fact.now);
  if (condition === null || threshold === null) return settled("no_data");
  return watchMetric({ metric, condition, threshold, durationMs }, progress, open, fact);
}

export const paused = (progress: RuleProgress, now: Instant): RuleProgress =>
  moved(progress, settled("paused"), now);

/** Monitoring is on again: evaluation restarts, only flapping is kept. */
function resumed(progress: RuleProgress, now: Instant): RuleProgress {
  if (progress.state !== "paused") return progress;
  const { openings, flappingSince } = progress;
  return { ...settledAt("no_data", now), resumedAt: now, openings, flappingSince };
}

function settledAt(state: RuleProgress["state"], since: Instant) {
  return { state, since, pendingSince: null, recoveringSince: null };
}

/** Returns the same object if the step changes nothing. */
function moved(progress: RuleProgress, step: AlertStep, now: Instant): RuleProgress {
  const since = step.state === progress.state ? Math.min(progress.since, now) : now;
  const resumedAt = progress.resumedAt === null ? null : Math.min(progress.resumedAt, now);
  const isSame =
    step.state === progress.state &&
    since === progress.since &&
    step.pendingSince === progress.pendingSince &&
    step.recoveringSince === progress.recoveringSince &&
    resumedAt === progress.resumedAt;
  if (isSame) return progress;
  const { state, pendingSince, recoveringSince } = step;
  const { openings, flappingSince } = progress;
  // Named one by one: a spread took most of the time of a preview.
  return { state, since, pendingSince, recoveringSince, resumedAt, openings, flappingSince };
}

function opened(
  rule: EvaluatedRule,
  progress: RuleProgress,
  { pendingSince, value }: Extract<AlertStep["change"], { kind: "open" }>,
  { now, server }: Fact,
): Verdict {
  const { openings, flappingSince, flaps } = noteOpening(rule, progress, now);
  const quiet = quietOf(rule, server.inMaintenance, flaps, now);
  return {
    progress: { ...progress, openings, flappingSince },
    changes: [{ kind: "open", pendingSince, value, flapping: flappingSince !== null, quiet }],
  };
}

/** Whether maintenance or a mute held an open alert back and neither applies any more. */
function isOwed(rule: EvaluatedRule, open: OpenAlert, { now, server }: Fact): boolean {
  if (open.acknowledged || server.inMaintenance || isMuted(rule, now)) return false;
  return channelRecords(open.delivery).some(
    ({ status, reason }) => status === "skipped" && (reason === "maintenance" || reason === "muted"),
  );
}
