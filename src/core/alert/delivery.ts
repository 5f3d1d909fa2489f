import { z } from "zod";
import { toTimestampOrNull } from "../time.ts";
import { Timestamp } from "../timestamp.ts";

export const channels = ["email", "chat", "in_app"] as const;
export type Channel = (typeof channels)[number];

export const DeliveryStatus = z.enum(["pending", "sent", "failed", "skipped"]);
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

/** Why nobody was notified on a channel. */
export const DeliveryReason = z.enum([
  "channel_off",
  "not_configured",
  "address_unverified",
  "cooldown",
  "maintenance",
  "muted",
  "flapping",
  "plan_required",
  "rate_limited",
  "provider_error",
  "timeout",
]);
export type DeliveryReason = z.infer<typeof DeliveryReason>;

/** Why an opening is sent to nobody although its rule has channels. */
export type Quiet = "maintenance" | "muted" | "flapping" | "cooldown";

export const ChannelDelivery = z.object({
  status: DeliveryStatus,
  reason: DeliveryReason.nullable(),
  at: Timestamp.nullable(),
  attempts: z.int(),
  /** What became of the message that the alert is over; null while there is none to send. */
  resolved_status: DeliveryStatus.nullable(),
});

/** What each channel did; no address and no URL. */
export const Delivery = z.object({ email: ChannelDelivery, chat: ChannelDelivery, in_app: ChannelDelivery });
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

export const DeliveryRecord = z
  .object({ email: ChannelRecord, chat: ChannelRecord, in_app: ChannelRecord })
  .readonly();
export type DeliveryRecord = z.infer<typeof DeliveryRecord>;

/** The switches of a rule. */
export type ChannelSwitches = Readonly<Record<Channel, boolean>>;

const untold = (reason: DeliveryReason): ChannelRecord => ({
  status: "skipped",
  reason,
  at: null,
  attempts: 0,
  resolvedStatus: null,
});

const toTell: ChannelRecord = {
  status: "pending",
  reason: null,
  at: null,
  attempts: 0,
  resolvedStatus: null,
};

/** What an opening asks of each channel: nothing where it is switched off or the rule is to be quiet. */
export function planDelivery(switches: ChannelSwitches, quiet: Quiet | null): DeliveryRecord {
  const plan = (channel: Channel): ChannelRecord => {
    if (!switches[channel]) return untold("channel_off");
    return quiet === null ? toTell : untold(quiet);
  };
  return { email: plan("email"), chat: plan("chat"), in_app: plan("in_app") };
}

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
});

/** Whether anybody was notified on any channel. */
export const wasNotified = (record: DeliveryRecord): boolean =>
  channels.some((channel) => record[channel].status === "sent");
