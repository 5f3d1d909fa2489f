import { z } from "zod";
import { nullAsAbsent } from "../../../contract/endpoint/null-as-absent.ts";
import { AlertCondition, AlertMetric } from "../../../core/alert/alert-rule.ts";
import { longestRuleMinutes } from "../../../core/alert/limits.ts";
import { callerName } from "../../../core/text/third-party-text.ts";

/** In the documentation's order; all but the name and the metric have a default. */
export const ruleInput = {
  name: callerName(80),
  metric: AlertMetric,
  condition: nullAsAbsent(AlertCondition.nullable().optional()),
  threshold: nullAsAbsent(z.number().nullable().optional()),
  duration_minutes: z.int().min(0).max(longestRuleMinutes).optional(),
  cooldown_minutes: z.int().min(0).max(longestRuleMinutes).optional(),
  notify_email: z.boolean().optional(),
  notify_chat: z.boolean().optional(),
  notify_in_app: z.boolean().optional(),
};
