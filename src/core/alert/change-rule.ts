import type { Instant } from "../time.ts";
import type { ResolutionReason } from "./alert.ts";
import { freshProgress, type RuleDefinition, type RuleProgress, type RuleRecord } from "./alert-rule.ts";

export interface RuleChange {
  readonly rule: RuleRecord;
  /** Why the change closes the rule's open alert; null if the alert stays open. */
  readonly closes: ResolutionReason | null;
}

const watchesOther = (before: RuleDefinition, after: RuleDefinition): boolean =>
  before.metric !== after.metric ||
  before.condition !== after.condition ||
  before.threshold !== after.threshold ||
  before.durationMinutes !== after.durationMinutes;

const isSame = (before: RuleDefinition, after: RuleDefinition): boolean =>
  !watchesOther(before, after) &&
  before.name === after.name &&
  before.cooldownMinutes === after.cooldownMinutes &&
  before.enabled === after.enabled &&
  before.mutedUntil === after.mutedUntil &&
  before.notify.email === after.notify.email &&
  before.notify.chat === after.notify.chat &&
  before.notify.in_app === after.notify.in_app;

/**
 * Applies a new definition. Another condition, or switching the rule on or off, restarts evaluation and
 * closes the open alert. Without a change the same object is returned. `updatedAt` always increases: it
 * identifies versions.
 */
export function changeRule(
  rule: RuleRecord,
  definition: RuleDefinition,
  muteToldUntil: Instant | null,
  now: Instant,
): RuleChange {
  if (isSame(rule, definition)) return { rule, closes: null };
  const restarts = watchesOther(rule, definition) || rule.enabled !== definition.enabled;
  const off = rule.enabled && !definition.enabled;
  const changed = {
    ...rule,
    ...definition,
    muteToldUntil,
    ...(restarts && { progress: restarted(rule.progress, definition.enabled, now) }),
    updatedAt: Math.max(now, rule.updatedAt + 1),
  };
  return { rule: changed, closes: !restarts ? null : off ? "rule_disabled" : "rule_changed" };
}

/** Openings are kept, so that a change does not end flapping. */
const restarted = (
  { resumedAt, openings, flappingSince }: RuleProgress,
  enabled: boolean,
  now: Instant,
): RuleProgress => ({
  ...freshProgress(enabled, now),
  resumedAt,
  openings,
  flappingSince,
});
