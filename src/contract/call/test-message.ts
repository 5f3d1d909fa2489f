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

/** A message that is sent to see whether it arrives. */
export interface TestMessage extends Pick<Sending, "id" | "message" | "now"> {
  readonly sendMessage: MessageSender;
  readonly recipient: Recipient;
}

/** Counts a test message of an account, or refuses it: five in ten minutes, whatever is tested. */
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

/** One attempt on a channel that waits for it; any other record comes back as it is. */
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

/** One attempt on each channel that waits for it, both outside ones at once. */
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

/** What a test of a rule tells: what each channel did. */
export const RuleTest = z.object({ tested: z.boolean(), rule_id: Id, delivery: Delivery });

const sentOnce = (at: string): Delivery["email"] => ({
  status: "sent",
  reason: null,
  at,
  attempts: 1,
  resolved_status: null,
});

/** The answer of a test, as the documentation shows it. */
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
 * Sends the message of a rule once over the channels it has switched on; 404 when its server is not monitored
 * any more, 429 after too many tests. No webhook, no alert, no history, no cooldown comes of it.
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
