import type { AlertRecord } from "../../core/alert/alert.ts";
import type { Message } from "../../core/notice/message.ts";
import type { InboxItem, NewNotice } from "../../core/notice/notice.ts";
import type { OutsideChannel } from "../../core/notice/notifier.ts";
import type { DispatchPurpose } from "../../core/notice/store.ts";
import { one, run, type Result, type Step } from "../engine/database.ts";
import { newId } from "../engine/ids.ts";
import { query } from "../engine/query.ts";

const insertDispatch = query<{
  id: string;
  account: string;
  channel: string;
  purpose: string;
  alert: string | null;
  rule: string | null;
  message: string;
  now: number;
}>()((db, $) =>
  db.insertInto("dispatch").values({
    id: $.id,
    account_id: $.account,
    channel: $.channel,
    purpose: $.purpose,
    alert_id: $.alert,
    rule_id: $.rule,
    message: $.message,
    attempts: 0,
    due_at: $.now,
    leased_until: null,
    created_at: $.now,
    unanswered: 0,
  }),
);

const insertInbox = query<{
  id: string;
  account: string;
  kind: string;
  message: string;
  server: string | null;
  alert: string | null;
  now: number;
}>()((db, $) =>
  db.insertInto("inbox").values({
    id: $.id,
    account_id: $.account,
    kind: $.kind,
    message: $.message,
    server_id: $.server,
    alert_id: $.alert,
    created_at: $.now,
    read_at: null,
  }),
);

const waiting = query<{ account: string; channel: string }>()((db, $) =>
  db
    .selectFrom("dispatch")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("account_id", "=", $.account)
    .where("channel", "=", $.channel),
);

const wanted = query<{ account: string }>()((db, $) =>
  db
    .selectFrom("notification_setting")
    .select(["notices_email", "notices_chat"])
    .where("account_id", "=", $.account),
);

export interface Outgoing {
  readonly accountId: string;
  readonly channel: OutsideChannel;
  readonly purpose: DispatchPurpose;
  /** Null for notices. */
  readonly alert: Pick<AlertRecord, "id" | "ruleId"> | null;
  readonly message: Message;
  readonly now: number;
}

/**
 * Messages of an account that may wait for one channel. A burst beyond it is recorded and told to nobody: whoever
 * got fifty mails reads no more of them, and everybody else's would wait behind.
 */
const mostWaiting = 50;

/**
 * Puts a message on its way outside; it goes once this unit of work is committed. False, and nothing queued, when
 * too many of the account wait for that channel already.
 */
export function* queueDispatch(outgoing: Outgoing): Generator<Step, boolean, Result> {
  const { accountId, channel, purpose, alert, message, now } = outgoing;
  const counted = yield* one(waiting, { account: accountId, channel });
  if ((counted?.count ?? 0) >= mostWaiting) return false;
  yield* run(insertDispatch, {
    id: newId(now),
    account: accountId,
    channel,
    purpose,
    alert: alert?.id ?? null,
    rule: alert?.ruleId ?? null,
    message: JSON.stringify(message),
    now,
  });
  return true;
}

/** Tells the account in the browser. */
export function* addToInbox(item: InboxItem & { accountId: string }): Generator<Step, void, Result> {
  yield* run(insertInbox, {
    id: item.id,
    account: item.accountId,
    kind: item.kind,
    message: JSON.stringify(item.message),
    server: item.serverId,
    alert: item.alertId,
    now: item.createdAt,
  });
}

/** Tells the owner in the browser, and outside where the owner wants notices there. */
export function* queueNotice(notice: NewNotice): Generator<Step, void, Result> {
  const { id, accountId, kind, serverId, message, now } = notice;
  yield* addToInbox({ id, accountId, kind, message, serverId, alertId: null, createdAt: now, readAt: null });
  const wishes = yield* one(wanted, { account: accountId });
  const outgoing = { accountId, purpose: "notice", alert: null, message, now } as const;
  if (wishes?.notices_email === 1) yield* queueDispatch({ ...outgoing, channel: "email" });
  if (wishes?.notices_chat === 1) yield* queueDispatch({ ...outgoing, channel: "chat" });
}
