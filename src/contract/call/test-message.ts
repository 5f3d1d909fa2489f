import type { Database } from "../../store/engine/database.ts";
import { recipientOf } from "../../store/notice/recipients.ts";
import { addTestToInbox } from "../../store/notice/notices.ts";
import { countTestMessage } from "../../services/notice/count-test-message.ts";
import { selectMonitoredServer } from "../../store/server/servers.ts";
import { z } from "zod";
import {
  Delivery,
  planDelivery,
  showDelivery,
  type ChannelRecord,
  type ChannelSwitches,
  type DeliveryRecord,
} from "../../core/alert/delivery.ts";
import { Id } from "../../core/id.ts";
import type { Message } from "../../core/notice/message.ts";
import type { OutsideChannel } from "../../core/notice/channel.ts";
import { testsPerWindow, type Recipient } from "../../core/notice/records.ts";
import type { Sending } from "../../core/notice/sending.ts";
import type { Instant } from "../../core/time.ts";
import type { AccountCaller } from "./caller.ts";
import type { Context, Fail } from "./context.ts";
import type { MessageSender } from "../../app/access/message-sender.ts";

export interface TestMessage extends Pick<Sending, "id" | "message" | "now"> {
  readonly sendMessage: MessageSender;
  readonly recipient: Recipient;
}

/** Every kind of test shares the account's limit. */
export async function requireTestAllowed(
  db: Database,
  accountId: string,
  id: string,
  now: Instant,
  fail: Fail<"rate_limited">,
): Promise<void> {
  const wait = await db.write(countTestMessage, accountId, id, now);
  if (wait === null) return;
  fail(
    "rate_limited",
    `An account can send at most ${testsPerWindow} test messages in ten minutes. Wait ${wait} seconds.`,
    { limit: testsPerWindow },
    wait,
  );
}

/** Makes one attempt on a pending channel; other records are returned unchanged. */
export async function attemptTest(
  record: ChannelRecord,
  channel: OutsideChannel,
  { sendMessage, recipient, ...test }: TestMessage,
): Promise<ChannelRecord> {
  if (record.status !== "pending") return record;
  const { now } = test;
  const result = await sendMessage(recipient, channel, {
    ...test,
    purpose: "test",
    postedAlert: null,
    queuedAt: now,
  });
  if (result.status === "skipped") return { ...record, status: "skipped", reason: result.reason };
  const reason = result.status === "sent" ? null : result.reason;
  return { ...record, status: result.status, reason, at: now, attempts: 1 };
}

/** Makes one attempt on each pending channel; e-mail and chat run in parallel. */
async function attemptAll(plan: DeliveryRecord, test: TestMessage, db: Database): Promise<DeliveryRecord> {
  const { recipient, id, message, now } = test;
  const inApp = plan.in_app.status === "pending";
  if (inApp) await db.write(addTestToInbox, recipient.accountId, id, message, now);
  const [email, chat] = await Promise.all([
    attemptTest(plan.email, "email", test),
    attemptTest(plan.chat, "chat", test),
  ]);
  return {
    email,
    chat,
    in_app: inApp ? { ...plan.in_app, status: "sent", at: now, attempts: 1 } : plan.in_app,
    webhook: null,
    second: null,
  };
}

export const RuleTest = z.object({ tested: z.boolean(), rule_id: Id, delivery: Delivery });

const sentOnce = (at: string): Delivery["email"] => ({
  status: "sent",
  reason: null,
  at,
  attempts: 1,
  resolved_status: null,
});

/** An example for the documentation. */
export const exampleRuleTest = (ruleId: string): z.infer<typeof RuleTest> => ({
  tested: true,
  rule_id: ruleId,
  delivery: {
    email: sentOnce("2026-11-20T07:34:01.000Z"),
    chat: { status: "skipped", reason: "channel_off", at: null, attempts: 0, resolved_status: null },
    in_app: sentOnce("2026-11-20T07:34:00.000Z"),
    webhook: null,
    second: null,
  },
});

interface TestedRule {
  readonly id: string;
  readonly serverId: string;
  readonly notify: ChannelSwitches;
}

/**
 * Sends the message of a rule once over its channels: no alert, webhook, history or cooldown. Refuses with
 * 404 if the server is not monitored any more, and with 429 after too many tests.
 */
export async function testRule(
  rule: TestedRule,
  messageFor: (serverName: string | null) => Message,
  { db, caller, now, secrets, sendMessage, fail, found }: TestContext,
): Promise<z.infer<typeof RuleTest>> {
  const { account } = caller;
  const server = found(await db.read(selectMonitoredServer, rule.serverId, account.id));
  const recipient = found(await db.read(recipientOf, account.id));
  const id = secrets.newId(now);
  await requireTestAllowed(db, account.id, id, now, fail);
  const message = messageFor(server.name);
  const plan = planDelivery(rule.notify, null);
  const delivery = await attemptAll(plan, { sendMessage, recipient, message, id, now }, db);
  return { tested: true, rule_id: rule.id, delivery: showDelivery(delivery) };
}

type TestContext = Pick<
  Context<AccountCaller, "not_found" | "rate_limited">,
  "db" | "caller" | "now" | "secrets" | "sendMessage" | "fail" | "found"
>;
