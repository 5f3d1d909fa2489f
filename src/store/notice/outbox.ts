import type { AlertRecord } from "../../core/alert/alert.ts";
import type { Message } from "../../core/notice/message.ts";
import type { InboxItem, NewNotice } from "../../core/notice/notice.ts";
import type { OutsideChannel } from "../../core/notice/notifier.ts";
import type { DispatchPurpose } from "../../core/notice/records.ts";
import { one, run, type Result, type Step } from "../engine/database.ts";
import { newId } from "../engine/ids.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { dispatchTable, inboxTable } from "./tables.ts";

const insertDispatch = query<RowOf<typeof dispatchTable>>()((db, $) =>
  db.insertInto("dispatch").values(placesOf(dispatchTable.columns, $)),
);

const insertInbox = query<RowOf<typeof inboxTable>>()((db, $) =>
  db.insertInto("inbox").values(placesOf(inboxTable.columns, $)),
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
  const id = newId(now);
  yield* run(insertDispatch, {
    ...dispatchTable.toRow({ id, channel, purpose, alertId: alert?.id ?? null, message, queuedAt: now }),
    account_id: accountId,
    rule_id: alert?.ruleId ?? null,
    attempts: 0,
    due_at: now,
    leased_until: null,
    unanswered: 0,
  });
  return true;
}

/** Tells the account in the browser. */
export function* addToInbox(item: InboxItem & { accountId: string }): Generator<Step, void, Result> {
  yield* run(insertInbox, { ...inboxTable.toRow({ ...item, readAt: null }), account_id: item.accountId });
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
