import { alertRuleOfAccount } from "../../../store/alert/alert-rules.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { exampleRuleTest, RuleTest, testRule } from "../../../contract/call/test-message.ts";
import { testMessage } from "../../../core/alert/message.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { exampleRule } from "./example-rule.ts";

export const testAlertRule = defineEndpoint({
  id: "alert_rules.test",
  method: "POST",
  path: "/alert-rules/{id}/test",
  params: { id: "rule_id" },
  access: { face: "api", scope: "monitoring:write", plan: "monitoring" },
  summary:
    "Send a rule's message now, marked [TEST], and show what each channel did; no alert, history or cooldown changes.",
  input: z.strictObject({ rule_id: resourceIdInput() }),
  output: RuleTest,
  errors: ["not_found", "rate_limited"],
  example: { input: { rule_id: exampleRule.id }, output: exampleRuleTest(exampleRule.id) },

  async handle({ rule_id }, context) {
    const rule = context.found(await context.db.read(alertRuleOfAccount, rule_id, context.caller.account.id));
    return testRule(rule, (server) => testMessage(rule, server, `/servers/${rule.serverId}/rules`), context);
  },
});
