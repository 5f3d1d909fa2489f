import { deliveryChannels, type ChannelRecord, type DeliveryRecord } from "../../core/alert/delivery.ts";
import type { AlertRecord } from "../../core/alert/alert.ts";
import type { Message } from "../../core/notice/message.ts";
import type { Result, Step } from "../../store/engine/database.ts";
import { newId } from "../../store/engine/ids.ts";
import { addToInbox } from "../../store/notice/outbox.ts";

/** Gives every channel of `alert` that its account has the record that `next` makes of its record. */
export function* updateChannels(
  alert: AlertRecord,
  next: (channel: keyof DeliveryRecord, record: ChannelRecord) => Generator<Step, ChannelRecord, Result>,
): Generator<Step, AlertRecord, Result> {
  const delivery = { ...alert.delivery };
  for (const channel of deliveryChannels) {
    const record = delivery[channel];
    if (record !== null) delivery[channel] = yield* next(channel, record);
  }
  return { ...alert, delivery };
}

/** Puts a message about an alert into its owner's inbox in the browser. */
export function* addAlertToInbox(
  alert: AlertRecord,
  kind: "alert" | "resolved",
  message: Message,
  now: number,
): Generator<Step, void, Result> {
  yield* addToInbox({
    id: newId(now),
    accountId: alert.accountId,
    kind,
    message,
    serverId: alert.serverId,
    alertId: alert.id,
    createdAt: now,
    readAt: null,
  });
}
