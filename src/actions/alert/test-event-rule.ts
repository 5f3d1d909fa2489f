import { action } from "../../contract/endpoint/action.ts";
import { eventRuleOfAccount } from "../../store/alert/event-rules.ts";
import { testRule } from "../../contract/call/test-message.ts";
import { eventTestMessage } from "../../core/alert/message.ts";
import { resourceIdInput } from "../../core/id.ts";

/** Sends the rule's message now, marked [TEST], and returns the result of each channel. */
export const testEventRule = action({
  id: "event_rules.test",
  who: "person",
  plan: "monitoring",
  input: { rule_id: resourceIdInput() },
  errors: ["not_found", "rate_limited"],

  async run({ rule_id }, context) {
    const rule = context.found(await context.db.read(eventRuleOfAccount, rule_id, context.caller.account.id));
    return testRule(
      rule,
      (server) => eventTestMessage(rule.name, server, `/servers/${rule.serverId}/rules`),
      context,
    );
  },
});
