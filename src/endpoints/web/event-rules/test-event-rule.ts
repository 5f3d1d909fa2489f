import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint.ts";
import { countTest, testRule } from "../../../contract/test-message.ts";
import { Delivery, planDelivery, showDelivery } from "../../../core/alert/delivery.ts";
import { eventTestMessage } from "../../../core/alert/message.ts";
import { Id, resourceIdInput } from "../../../core/id.ts";
import { exampleEventRule } from "./example-event-rule.ts";

export const testEventRule = defineEndpoint({
  id: "event_rules.test",
  method: "POST",
  path: "/event-rules/{id}/test",
  params: { id: "rule_id" },
  access: { face: "web", who: "person", plan: "monitoring" },
  summary: "Send the message of a rule on events now, marked [TEST], and tell what each channel did.",
  input: z.strictObject({ rule_id: resourceIdInput() }),
  output: z.object({ tested: z.boolean(), rule_id: Id, delivery: Delivery }),
  errors: ["not_found", "rate_limited"],
  example: {
    input: { rule_id: exampleEventRule.id },
    output: {
      tested: true,
      rule_id: exampleEventRule.id,
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
    const rule = found(await stores.eventRules.find(rule_id, account.id));
    const server = found(await stores.servers.findMonitored(rule.serverId, account.id));
    const recipient = found(await stores.notices.recipient(account.id));
    const id = secrets.newId(now);
    await countTest(stores, account.id, id, now, fail);
    const message = eventTestMessage(rule.name, server.name, null);
    const plan = planDelivery(rule.notify, null);
    const delivery = await testRule(plan, { courier, recipient, message, id, now }, stores);
    return { tested: true, rule_id: rule.id, delivery: showDelivery(delivery) };
  },
});
