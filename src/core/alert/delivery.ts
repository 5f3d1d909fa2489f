import { z } from "zod";
import { addition } from "../addition.ts";
import { OutsideChannel } from "../notice/channel.ts";
import { toTimestampOrNull } from "../time.ts";
import { Timestamp } from "../timestamp.ts";

export const channels = ["email", "chat", "in_app"] as const;
export type Channel = (typeof channels)[number];

export const deliveryChannels = [...channels, "webhook"] as const;
export const AlertChannel = z.enum(deliveryChannels);
export type AlertChannel = z.infer<typeof AlertChannel>;

/** The second channel is last: it gets what the others could not deliver. */
export const deliverySlots = [...deliveryChannels, "second"] as const;

export const DeliveryStatus = z.enum(["pending", "sent", "failed", "skipped"]);
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

/** Why a channel sent nothing. */
export const DeliveryReason = z.enum([
  "channel_off",
  "not_configured",
  "unreadable",
  "address_unverified",
  "cooldown",
  "maintenance",
  "muted",
  "flapping",
  "plan_required",
  "rate_limited",
  "provider_error",
  "timeout",
  "not_needed",
  "account_disabled",
]);
export type DeliveryReason = z.infer<typeof DeliveryReason>;

/** Why an opening is sent to nobody although its rule has channels. */
export type Quiet = "maintenance" | "muted" | "flapping" | "cooldown";

export const ChannelDelivery = z.object({
  status: DeliveryStatus,
  reason: DeliveryReason.nullable(),
  at: Timestamp.nullable(),
  attempts: z.int(),
  /** Status of the message that the alert is over; null without such a message. */
  resolved_status: DeliveryStatus.nullable(),
});

export const SecondDelivery = ChannelDelivery.extend({ channel: OutsideChannel });

/** Has no address and no URL. A webhook gets the alerts of every rule; null if the account has none. */
export const Delivery = z.object({
  email: ChannelDelivery,
  chat: ChannelDelivery,
  in_app: ChannelDelivery,
  webhook: addition(ChannelDelivery.nullable()),
  /** Null if no channel gave up a message, or the account has no second channel. */
  second: addition(SecondDelivery.nullable()),
});
export type Delivery = z.infer<typeof Delivery>;

const ChannelRecord = z
  .object({
    status: DeliveryStatus,
    reason: DeliveryReason.nullable(),
    at: z.number().nullable(),
    attempts: z.number(),
    resolvedStatus: DeliveryStatus.nullable(),
  })
  .readonly();
export type ChannelRecord = z.infer<typeof ChannelRecord>;

const SecondRecord = ChannelRecord.unwrap().extend({ channel: OutsideChannel }).readonly();
type SecondRecord = z.infer<typeof SecondRecord>;

export const DeliveryRecord = z
  .object({
    email: ChannelRecord,
    chat: ChannelRecord,
    in_app: ChannelRecord,
    webhook: ChannelRecord.nullable(),
    second: SecondRecord.nullable(),
  })
  .readonly();
export type DeliveryRecord = z.infer<typeof DeliveryRecord>;

export type ChannelSwitches = Readonly<Record<Channel, boolean>>;

const untold = (reason: DeliveryReason): ChannelRecord => ({
  status: "skipped",
  reason,
  at: null,
  attempts: 0,
  resolvedStatus: null,
});

export const toTell: ChannelRecord = {
  status: "pending",
  reason: null,
  at: null,
  attempts: 0,
  resolvedStatus: null,
};

/**
 * The plan of an opening for each channel. `hasWebhook`: the account has a webhook; rules cannot switch it
 * off.
 */
export function planDelivery(
  switches: ChannelSwitches,
  quiet: Quiet | null,
  hasWebhook = false,
): DeliveryRecord {
  const on = quiet === null ? toTell : untold(quiet);
  const plan = (channel: Channel): ChannelRecord => (switches[channel] ? on : untold("channel_off"));
  return {
    email: plan("email"),
    chat: plan("chat"),
    in_app: plan("in_app"),
    webhook: hasWebhook ? on : null,
    second: null,
  };
}

export const channelRecords = (record: DeliveryRecord): readonly ChannelRecord[] =>
  [record.email, record.chat, record.in_app, record.webhook, record.second].filter((each) => each !== null);

export const showChannel = (record: ChannelRecord): z.infer<typeof ChannelDelivery> => ({
  status: record.status,
  reason: record.reason,
  at: toTimestampOrNull(record.at),
  attempts: record.attempts,
  resolved_status: record.resolvedStatus,
});

export const showDelivery = (record: DeliveryRecord): Delivery => ({
  email: showChannel(record.email),
  chat: showChannel(record.chat),
  in_app: showChannel(record.in_app),
  webhook: record.webhook && showChannel(record.webhook),
  second: record.second && { ...showChannel(record.second), channel: record.second.channel },
});

export const withRecord = (
  delivery: DeliveryRecord,
  slot: keyof DeliveryRecord,
  record: ChannelRecord,
): DeliveryRecord =>
  slot === "second"
    ? { ...delivery, second: delivery.second && { ...record, channel: delivery.second.channel } }
    : { ...delivery, [slot]: record };

/**
 * Adds the second channel, for the opening or its end. `queued` is false if too many messages wait already.
 */
export function withSecond(
  delivery: DeliveryRecord,
  channel: OutsideChannel,
  purpose: "opened" | "resolved",
  queued: boolean,
): DeliveryRecord {
  const opening = queued ? toTell : untold("rate_limited");
  const end: ChannelRecord = {
    ...untold("not_needed"),
    resolvedStatus: queued ? "pending" : "skipped",
  };
  return { ...delivery, second: { ...(purpose === "opened" ? opening : end), channel } };
}

export const wasNotified = (record: DeliveryRecord): boolean =>
  channelRecords(record).some(({ status }) => status === "sent");
