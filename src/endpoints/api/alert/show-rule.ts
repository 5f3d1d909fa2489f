import { lastValueOf, toAlertRule, type AlertRule, type RuleRecord } from "../../../core/alert/alert-rule.ts";
import type { Sample } from "../../../core/metric/sample.ts";

/** Shows the rule with the metric's value in the server's last sample. */
export const showRule = (rule: RuleRecord, sample: Sample | null): AlertRule =>
  toAlertRule(rule, lastValueOf(rule, sample));
