import { eventRuleOfAccount } from "../../../store/alert/event-rules.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { exampleRuleTest, RuleTest, testRule } from "../../../contract/call/test-message.ts";
import { eventTestMessage } from "../../../core/alert/message.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { exampleEventRule } from "../../../core/alert/example-event-rule.ts";

export const testEventRule = defineEndpoint({
  id: "event_rules.test",
  method: "POST",
  path: "/event-rules/{id}/test",
  params: { id: "rule_id" },
  access: { face: "web", who: "person", plan: "monitoring" },
  summary: "Send the message of a rule on events now, marked [TEST], and show what each channel did.",
  input: z.strictObject({ rule_id: resourceIdInput() }),
  output: RuleTest,
  errors: ["not_found", "rate_limited"],
  example: { input: { rule_id: exampleEventRule.id }, output: exampleRuleTest(exampleEventRule.id) },

  async handle({ rule_id }, context) {
    const rule = context.found(await context.db.read(eventRuleOfAccount, rule_id, context.caller.account.id));
    return testRule(
      rule,
      (server) => eventTestMessage(rule.name, server, `/servers/${rule.serverId}/rules`),
      context,
    );
  },
});
