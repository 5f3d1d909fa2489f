import { readRuleSamples } from "../../../store/metric/rule-samples.ts";
import { selectMonitoredServer } from "../../../store/server/servers.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { AlertCondition, AlertMetric } from "../../../core/alert/alert-rule.ts";
import {
  defaultCooldownMinutes,
  defaultDurationMinutes,
  longestRuleMinutes,
  ruleProblem,
} from "../../../core/alert/limits.ts";
import { RulePreview, type PreviewRequest } from "../../../core/alert/preview.ts";
import { AlertRulePreview, toAlertRulePreview } from "../../../core/alert/preview-answer.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { pastWindowsOf } from "../../../services/maintenance/past-windows-of.ts";
import { clockToleranceMs } from "../../../core/metric/clock.ts";
import { beyondRetention } from "../../../core/metric/period.ts";
import { dayMs } from "../../../core/time.ts";
import { examplePreview } from "./example-preview.ts";

/** Older samples are kept as averages of five minutes; rules are not evaluated on averages. */
const mostDays = 30;
const usualDays = 7;

const ruleMinutes = z.int().min(0).max(longestRuleMinutes);

export const previewAlertRule = defineEndpoint({
  id: "alert_rules.preview",
  method: "GET",
  path: "/servers/{id}/alert-rules/preview",
  params: { id: "server_id" },
  access: { face: "api", scope: "monitoring:read", plan: "monitoring" },
  summary:
    "When a rule would have raised alerts on the recorded measurements of an own server, and the messages it would have sent.",
  isAddition: true,
  input: z.strictObject({
    server_id: resourceIdInput(),
    metric: AlertMetric,
    condition: AlertCondition.optional(),
    threshold: z.number().optional(),
    duration_minutes: ruleMinutes.default(defaultDurationMinutes),
    cooldown_minutes: ruleMinutes.default(defaultCooldownMinutes),
    days: z.int().min(1).max(mostDays).default(usualDays),
  }),
  output: AlertRulePreview,
  errors: ["validation_error", "not_found", "retention_exceeded"],
  example: {
    input: { server_id: examplePreview.server_id, metric: "tps", condition: "below", threshold: 18 },
    output: examplePreview,
  },

  check(draft, { fail }) {
    const problem = ruleProblem(draft);
    if (problem) fail("validation_error", problem.message, { field: problem.field });
  },

  async handle({ server_id, days, ...sent }, { db, caller, now, found, fail }) {
    const server = found(await db.read(selectMonitoredServer, server_id, caller.account.id));
    const { retention_days } = caller.limits;
    const from = now - days * dayMs;
    const beyond = beyondRetention({ range: null, from, to: now }, retention_days, now);
    if (beyond) {
      const message = `The account's plan shows the last ${retention_days} days. Ask for days of ${retention_days} or less.`;
      fail("retention_exceeded", message, beyond.details);
    }
    const request: PreviewRequest = {
      rule: {
        metric: sent.metric,
        condition: sent.condition ?? null,
        threshold: sent.threshold ?? null,
        durationMinutes: sent.duration_minutes,
        cooldownMinutes: sent.cooldown_minutes,
      },
      from,
      to: now,
      maintenance: await db.read(pastWindowsOf, server.id, from, now),
    };
    const preview = new RulePreview(request);
    const metric = sent.metric === "offline" ? null : sent.metric;
    // The clock of a sample's server may differ from ours.
    const [first, last] = [from - clockToleranceMs, now + clockToleranceMs];
    for await (const samples of readRuleSamples(db, server.id, metric, first, last)) preview.add(samples);
    return toAlertRulePreview(server.id, request, preview.outcome());
  },
});
