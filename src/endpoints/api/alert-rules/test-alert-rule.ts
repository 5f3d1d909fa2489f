import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint.ts";
import { countTest, testRule } from "../../../contract/test-message.ts";
import { Delivery, planDelivery, showDelivery } from "../../../core/alert/delivery.ts";
import { testMessage } from "../../../core/alert/message.ts";
import { Id, resourceIdInput } from "../../../core/id.ts";
import { exampleRule } from "./example-rule.ts";

export const testAlertRule = defineEndpoint({
  id: "alert_rules.test",
  method: "POST",
  path: "/alert-rules/{id}/test",
  params: { id: "rule_id" },
  access: { face: "api", scope: "monitoring:write", plan: "monitoring" },
  summary:
    "Send a rule's message now, marked [TEST], and tell what each channel did: no alert, no history, no cooldown.",
  input: z.strictObject({ rule_id: resourceIdInput() }),
  output: z.object({ tested: z.boolean(), rule_id: Id, delivery: Delivery }),
  errors: ["not_found", "rate_limited"],
  example: {
    input: { rule_id: exampleRule.id },
    output: {
      tested: true,
      rule_id: exampleRule.id,
      delivery: {
        email: {
          status: "sent",
          reason: null,
          at: "2026-11-20T07:34:01.000Z",
          attempts: 1,
          resolved_status: null,
        },
        chat: { status: "skipped", reason: "channel_off", at: null, attempts: 0, resolved_status: null },
        in_app: {
          status: "sent",
          reason: null,
          at: "2026-11-20T07:34:00.000Z",
          attempts: 1,
          resolved_status: null,
        },
      },
    },
  },

  async handle({ rule_id }, { stores, caller, now, secrets, courier, fail, found }) {
    const { account } = caller;
    const rule = found(await stores.alertRules.find(rule_id, account.id));
    const server = found(await stores.servers.findMonitored(rule.serverId, account.id));
    const recipient = found(await stores.notices.recipient(account.id));
    const id = secrets.newId(now);
    await countTest(stores, account.id, id, now, fail);
    const message = testMessage(rule, server.name, null);
    const plan = planDelivery(rule.notify, null);
    const delivery = await testRule(plan, { courier, recipient, message, id, now }, stores);
    return { tested: true, rule_id: rule.id, delivery: showDelivery(delivery) };
  },
});
