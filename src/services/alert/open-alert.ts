import type { AlertRecord } from "../../core/alert/alert.ts";
import { planDelivery, toTell, type ChannelSwitches } from "../../core/alert/delivery.ts";
import { openedMessage } from "../../core/alert/message.ts";
import { insertAlert, saveAlert } from "../../store/alert/alerts.ts";
import { addAlertToInbox, channelOf, updateChannels } from "./alert-channels.ts";
import type { Work } from "../../store/engine/database.ts";
import { queueDispatch } from "../notice/queue-dispatch.ts";

type Opened = Work<AlertRecord>;

/** In-app messages are stored now, the others are queued and sent after the commit. */
function* dispatchOpening(alert: AlertRecord, now: number): Opened {
  const message = openedMessage(alert);
  return yield* updateChannels(alert, function* (slot, record) {
    if (record.status !== "pending") return record;
    if (slot === "in_app") {
      yield* addAlertToInbox(alert, "alert", message, now);
      return { ...record, status: "sent", at: now, attempts: 1 };
    }
    const { accountId } = alert;
    const to = channelOf(alert, slot);
    const queued = yield* queueDispatch({ accountId, ...to, purpose: "opened", alert, message, now });
    return queued ? record : { ...record, status: "skipped", reason: "rate_limited" };
  });
}

/** Stores a new alert whose `delivery` is planned, and queues its messages. */
export function* openAlert(planned: AlertRecord, now: number): Opened {
  const alert = yield* dispatchOpening(planned, now);
  yield* insertAlert(alert);
  return alert;
}

/** Sends an alert that maintenance or a mute held back; its channels are planned again. */
export function* sendKeptAlert(kept: AlertRecord, switches: ChannelSwitches, now: number): Opened {
  const plan = planDelivery(switches, null, kept.delivery.webhook !== null);
  const planned = yield* updateChannels(kept, function* (slot, record) {
    const isKept = record.reason === "maintenance" || record.reason === "muted";
    if (slot === "second") return isKept ? toTell : record;
    return isKept ? (plan[slot] ?? record) : record;
  });
  const alert = yield* dispatchOpening(planned, now);
  yield* saveAlert(alert);
  return alert;
}
