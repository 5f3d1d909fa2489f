import { z } from "zod";
import type { Courier } from "../../../contract/courier.ts";
import { defineEndpoint } from "../../../contract/endpoint.ts";
import type { RuleRecord } from "../../../core/alert/alert-rule.ts";
import {
  Delivery,
  planDelivery,
  showDelivery,
  type ChannelRecord,
  type DeliveryRecord,
} from "../../../core/alert/delivery.ts";
import { testMessage } from "../../../core/alert/message.ts";
import { Id, resourceIdInput } from "../../../core/id.ts";
import type { Message } from "../../../core/notice/message.ts";
import { testsPerWindow, type Recipient } from "../../../core/notice/store.ts";
import type { Instant } from "../../../core/time.ts";
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
    const wait = await stores.notices.countTest(account.id, id, now);
    if (wait !== null) {
      return fail(
        "rate_limited",
        `An account sends ${testsPerWindow} test messages in ten minutes. Wait ${wait} seconds.`,
        { limit: testsPerWindow },
        wait,
      );
    }
    const message = testMessage(rule, server.name, null);
    if (rule.notify.in_app) await stores.notices.addTest(account.id, id, message, now);
    const delivery = await tested(rule, { courier, recipient, message, id, now });
    return { tested: true, rule_id: rule.id, delivery: showDelivery(delivery) };
  },
});

interface Test {
  readonly courier: Courier;
  readonly recipient: Recipient;
  readonly message: Message;
  readonly id: string;
  readonly now: Instant;
}

/** One attempt on each channel that is switched on, both outside ones at once. */
async function tested(rule: RuleRecord, test: Test): Promise<DeliveryRecord> {
  const plan = planDelivery(rule.notify, null);
  const [email, chat] = await Promise.all([
    attempted(plan.email, "email", test),
    attempted(plan.chat, "chat", test),
  ]);
  const in_app = rule.notify.in_app
    ? { ...plan.in_app, status: "sent" as const, at: test.now, attempts: 1 }
    : plan.in_app;
  return { email, chat, in_app };
}

async function attempted(
  record: ChannelRecord,
  channel: "email" | "chat",
  { courier, recipient, message, id, now }: Test,
): Promise<ChannelRecord> {
  if (record.status !== "pending") return record;
  const result = await courier(recipient, channel, message, id);
  if (result.status === "skipped") return { ...record, status: "skipped", reason: result.reason };
  const reason = result.status === "sent" ? null : result.reason;
  return { ...record, status: result.status, reason, at: now, attempts: 1 };
}
