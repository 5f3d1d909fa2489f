import type { NewNotice } from "../../core/notice/notice.ts";
import { type Work, one } from "../../store/engine/database.ts";
import { addToInbox, findNoticeWishes } from "../../store/notice/outbox.ts";
import { queueDispatch } from "./queue-dispatch.ts";

/** Notifies in the app, and over the channels on which the owner wants notices. */
export function* queueNotice(notice: NewNotice): Work<void> {
  const { id, accountId, kind, serverId, message, now } = notice;
  yield* addToInbox({ id, accountId, kind, message, serverId, alertId: null, createdAt: now, readAt: null });
  const wishes = yield* one(findNoticeWishes, { account: accountId });
  const outgoing = { accountId, purpose: "notice", alert: null, message, now } as const;
  if (wishes?.notices_email === 1) yield* queueDispatch({ ...outgoing, channel: "email" });
  if (wishes?.notices_chat === 1) yield* queueDispatch({ ...outgoing, channel: "chat" });
  if (wishes?.notices_webhook === 1) yield* queueDispatch({ ...outgoing, channel: "webhook" });
}
