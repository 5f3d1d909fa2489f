import type { AlertCondition, AlertMetric, RuleDefinition } from "../../../core/alert/alert-rule.ts";
import { metricLimits, ruleProblem, type RuleProblem } from "../../../core/alert/limits.ts";
import { minuteMs, type Instant } from "../../../core/time.ts";

export interface SentRule {
  readonly name?: string | undefined;
  readonly metric?: AlertMetric | undefined;
  readonly condition?: AlertCondition | null | undefined;
  readonly threshold?: number | null | undefined;
  readonly duration_minutes?: number | undefined;
  readonly cooldown_minutes?: number | undefined;
  readonly notify_email?: boolean | undefined;
  readonly notify_chat?: boolean | undefined;
  readonly notify_in_app?: boolean | undefined;
  readonly enabled?: boolean | undefined;
  readonly mute_minutes?: number | undefined;
}

/** Checks the sent fields without the stored rule; null also if only the rule can tell. */
export function problemOfSent({ metric, condition, threshold }: SentRule): RuleProblem | null {
  if (metric === undefined) return null;
  if (metric === "offline") return ruleProblem({ metric, condition, threshold });
  const kept = { condition: "below", threshold: metricLimits[metric].min } as const;
  return ruleProblem({
    metric,
    condition: condition === undefined ? kept.condition : condition,
    threshold: threshold === undefined ? kept.threshold : threshold,
  });
}

/** A rule switched to `offline` loses condition and threshold; one switched away from it needs both. */
export function changedDefinition(rule: RuleDefinition, sent: SentRule, now: Instant): RuleDefinition {
  const dropped = sent.metric === "offline";
  const kept = dropped ? { condition: null, threshold: null } : rule;
  const { mute_minutes: mute } = sent;
  return {
    name: sent.name ?? rule.name,
    metric: sent.metric ?? rule.metric,
    condition: sent.condition === undefined ? kept.condition : sent.condition,
    threshold: sent.threshold === undefined ? kept.threshold : sent.threshold,
    durationMinutes: sent.duration_minutes ?? rule.durationMinutes,
    cooldownMinutes: sent.cooldown_minutes ?? rule.cooldownMinutes,
    notify: {
      email: sent.notify_email ?? rule.notify.email,
      chat: sent.notify_chat ?? rule.notify.chat,
      in_app: sent.notify_in_app ?? rule.notify.in_app,
    },
    enabled: sent.enabled ?? rule.enabled,
    mutedUntil: mute === undefined ? rule.mutedUntil : mute === 0 ? null : now + mute * minuteMs,
  };
}
