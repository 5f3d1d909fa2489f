import type { AlertRecord } from "../../core/alert/alert.ts";
import { withSecond } from "../../core/alert/delivery.ts";
import type { OutsideChannel } from "../../core/notice/channel.ts";
import type { Dispatch, NotificationSettings } from "../../core/notice/records.ts";
import type { Instant } from "../../core/time.ts";
import type { Work } from "../../store/engine/database.ts";
import { queueDispatch } from "./queue-dispatch.ts";

/** The channel for what `dispatch` could not deliver; null if there is none. */
function secondOf({ channel, isSecond, recipient }: Dispatch): OutsideChannel | null {
  const { secondChannel } = recipient.settings;
  return isSecond || secondChannel === channel ? null : secondChannel;
}

/** Queues an undelivered alert for the second channel, once, unless that channel got the alert itself. */
export function* handOverAlert(alert: AlertRecord, dispatch: Dispatch, now: Instant): Work<AlertRecord> {
  const channel = secondOf(dispatch);
  const { purpose, message } = dispatch;
  if (channel === null || (purpose !== "opened" && purpose !== "resolved")) return alert;
  const own = alert.delivery[channel];
  const isKnown = own !== null && (own.status === "sent" || own.status === "pending");
  if (isKnown || alert.delivery.second !== null) return alert;
  const { accountId } = alert;
  const queued = yield* queueDispatch({ accountId, channel, isSecond: true, purpose, alert, message, now });
  return { ...alert, delivery: withSecond(alert.delivery, channel, purpose, queued) };
}

/** Queues an undelivered notice or digest for the second channel, unless that gets its own. */
export function* handOverMessage(dispatch: Dispatch, now: Instant): Work<void> {
  const channel = secondOf(dispatch);
  const { purpose, message, recipient } = dispatch;
  if (channel === null || getsOwn(recipient.settings, purpose, channel)) return;
  const { accountId } = recipient;
  yield* queueDispatch({ accountId, channel, isSecond: true, purpose, alert: null, message, now });
}

function getsOwn(
  settings: NotificationSettings,
  purpose: Dispatch["purpose"],
  channel: OutsideChannel,
): boolean {
  const notices = {
    email: settings.noticesByEmail,
    chat: settings.noticesByChat,
    webhook: settings.noticesByWebhook,
  };
  const digests = { email: settings.digestByEmail, chat: settings.digestByChat, webhook: false };
  return purpose === "digest" ? digests[channel] : notices[channel];
}
