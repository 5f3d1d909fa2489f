import type { AlertRecord, ResolutionReason } from "../../core/alert/alert.ts";
import { resolvedMessage } from "../../core/alert/message.ts";
import { saveAlert } from "../../store/alert/alerts.ts";
import { addAlertToInbox, channelOf, updateChannels } from "./alert-channels.ts";
import type { Work } from "../../store/engine/database.ts";
import { queueDispatch } from "../notice/queue-dispatch.ts";

type Resolved = Work<AlertRecord>;

/** Queues a message of the alert's end for every channel that sent its opening. */
export function* dispatchResolution(alert: AlertRecord, now: number): Resolved {
  const message = resolvedMessage(alert);
  return yield* updateChannels(alert, function* (slot, record) {
    if (record.status !== "sent" || record.resolvedStatus !== null) return record;
    if (slot === "in_app") {
      yield* addAlertToInbox(alert, "resolved", message, now);
      return { ...record, resolvedStatus: "sent" };
    }
    const { accountId } = alert;
    const to = channelOf(alert, slot);
    const queued = yield* queueDispatch({ accountId, ...to, purpose: "resolved", alert, message, now });
    if (!queued) return { ...record, resolvedStatus: "skipped" };
    return { ...record, resolvedStatus: "pending" };
  });
}

function* skipResolution(alert: AlertRecord): Resolved {
  return yield* updateChannels(alert, function* (_slot, record) {
    const isOwed = record.status === "sent" || record.status === "pending";
    return isOwed && record.resolvedStatus === null ? { ...record, resolvedStatus: "skipped" } : record;
  });
}

/** `silent`: sends no message, because of maintenance or a mute. */
export function* resolveAlert(
  alert: AlertRecord,
  reason: ResolutionReason,
  silent: boolean,
  now: number,
): Work<void> {
  const resolved: AlertRecord = {
    ...alert,
    status: "resolved",
    resolvedAt: Math.max(now, alert.openedAt),
    resolutionReason: reason,
  };
  const isSkipped = silent || alert.acknowledgedAt !== null;
  yield* saveAlert(isSkipped ? yield* skipResolution(resolved) : yield* dispatchResolution(resolved, now));
}
