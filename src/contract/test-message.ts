import type { ChannelRecord, DeliveryRecord } from "../core/alert/delivery.ts";
import type { Message } from "../core/notice/message.ts";
import type { OutsideChannel } from "../core/notice/notifier.ts";
import { testsPerWindow, type Recipient } from "../core/notice/store.ts";
import type { Instant } from "../core/time.ts";
import type { Fail, Stores } from "./context.ts";
import type { Courier } from "./courier.ts";

/** A message that is sent to see whether it arrives. */
export interface TestMessage {
  readonly courier: Courier;
  readonly recipient: Recipient;
  readonly message: Message;
  readonly id: string;
  readonly now: Instant;
}

/** Counts a test message of an account, or refuses it: five in ten minutes, whatever is tested. */
export async function countTest(
  stores: Stores,
  accountId: string,
  id: string,
  now: Instant,
  fail: Fail<"rate_limited">,
): Promise<void> {
  const wait = await stores.notices.countTest(accountId, id, now);
  if (wait === null) return;
  fail(
    "rate_limited",
    `An account sends ${testsPerWindow} test messages in ten minutes. Wait ${wait} seconds.`,
    { limit: testsPerWindow },
    wait,
  );
}

/** One attempt on a channel that waits for it; any other record comes back as it is. */
export async function attemptTest(
  record: ChannelRecord,
  channel: OutsideChannel,
  { courier, recipient, message, id, now }: TestMessage,
): Promise<ChannelRecord> {
  if (record.status !== "pending") return record;
  const result = await courier(recipient, channel, message, id);
  if (result.status === "skipped") return { ...record, status: "skipped", reason: result.reason };
  const reason = result.status === "sent" ? null : result.reason;
  return { ...record, status: result.status, reason, at: now, attempts: 1 };
}

/** One attempt on each channel of a rule that is switched on, both outside ones at once. */
export async function testRule(
  plan: DeliveryRecord,
  test: TestMessage,
  stores: Stores,
): Promise<DeliveryRecord> {
  const { recipient, id, message, now } = test;
  const inApp = plan.in_app.status === "pending";
  if (inApp) await stores.notices.addTest(recipient.accountId, id, message, now);
  const [email, chat] = await Promise.all([
    attemptTest(plan.email, "email", test),
    attemptTest(plan.chat, "chat", test),
  ]);
  return {
    email,
    chat,
    in_app: inApp ? { ...plan.in_app, status: "sent", at: now, attempts: 1 } : plan.in_app,
  };
}
