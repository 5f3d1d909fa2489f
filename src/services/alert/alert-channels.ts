import {
  deliverySlots,
  withRecord,
  type ChannelRecord,
  type DeliveryRecord,
} from "../../core/alert/delivery.ts";
import type { AlertRecord } from "../../core/alert/alert.ts";
import type { Message } from "../../core/notice/message.ts";
import type { OutsideChannel } from "../../core/notice/channel.ts";
import type { Work } from "../../store/engine/database.ts";
import { newId } from "../../store/engine/ids.ts";
import { addToInbox } from "../../store/notice/outbox.ts";

type OutsideSlot = Exclude<keyof DeliveryRecord, "in_app">;

/** Replaces the record of each channel that the alert has by the result of `next`. */
export function* updateChannels(
  alert: AlertRecord,
  next: (slot: keyof DeliveryRecord, record: ChannelRecord) => Work<ChannelRecord>,
): Work<AlertRecord> {
  let { delivery } = alert;
  for (const slot of deliverySlots) {
    const record = delivery[slot];
    if (record !== null) delivery = withRecord(delivery, slot, yield* next(slot, record));
  }
  return { ...alert, delivery };
}

export function channelOf({ delivery: { second } }: AlertRecord, slot: OutsideSlot): Channel {
  if (slot !== "second") return { channel: slot, isSecond: false };
  if (second === null) throw new TypeError("The alert has used no second channel.");
  return { channel: second.channel, isSecond: true };
}

interface Channel {
  readonly channel: OutsideChannel;
  readonly isSecond: boolean;
}

export function* addAlertToInbox(
  alert: AlertRecord,
  kind: "alert" | "resolved",
  message: Message,
  now: number,
): Work<void> {
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
