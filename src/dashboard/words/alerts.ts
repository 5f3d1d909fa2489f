import type { Alert } from "../../core/alert/alert.ts";
import { watchedWords } from "../../core/alert/message.ts";
import { deliverySlots, type Delivery, type DeliveryReason } from "../../core/alert/delivery.ts";
import { retryForMs } from "../../core/notice/retry.ts";
import { hourMs } from "../../core/time.ts";
import type { Meaning } from "../parts/state.tsx";

type DeliveryChannel = Exclude<keyof Delivery, "second">;
type ChannelDelivery = Delivery["email"];

export const channelNames: Readonly<Record<DeliveryChannel, string>> = {
  email: "E-mail",
  chat: "Chat",
  in_app: "In-app",
  webhook: "Webhook",
};

/** Why a channel sent no message, and what helps, as the end of a sentence. */
const reasons: Readonly<Record<DeliveryReason, string>> = {
  channel_off: "the rule does not use this channel",
  not_configured:
    "the channel is not set up: chat and webhook need an address, e-mail needs a mail server of the operator",
  unreadable:
    "the service cannot decrypt the stored address, because its secret was changed: set it again in Settings, Notifications",
  address_unverified: "the e-mail address is not confirmed yet",
  cooldown: "an earlier alert of this rule was sent, and the cooldown of the rule was not over",
  maintenance: "the server was in maintenance; a message is sent at its end if the problem is still there",
  muted: "the rule was muted, or the alert was acknowledged before the message went out",
  flapping: "the rule is flapping: it sends no message until it has not opened an alert for 30 minutes",
  plan_required: "the plan of the account does not include monitoring",
  rate_limited: "too many messages were sent over this channel in a short time",
  provider_error: "the mail server or chat service refused the message, or could not be reached",
  not_needed: "another channel had sent it",
  account_disabled: "the account was disabled for too long",
  timeout: "the mail server or chat service did not answer in time",
};

/** More exact reasons for single channels. */
const reasonsOf: Readonly<Partial<Record<DeliveryChannel, Partial<Record<DeliveryReason, string>>>>> = {
  email: { not_configured: "this service sends no mail, because its operator has not set a mail server" },
  chat: { not_configured: "no chat webhook is set in Settings, Notifications" },
  webhook: {
    not_configured: "no signed webhook is set in Settings, Notifications",
    provider_error: "the webhook refused the event, or could not be reached",
    timeout: "the webhook did not answer in time",
  },
};

const reasonWords = (channel: DeliveryChannel, reason: DeliveryReason): string =>
  reasonsOf[channel]?.[reason] ?? reasons[reason];

const times = (count: number): string => (count === 1 ? "once" : `${count} times`);

/** Null if the status alone says everything. */
export function deliveryWords(
  channel: DeliveryChannel,
  { status, reason, attempts }: ChannelDelivery,
): string | null {
  const why = reason === null ? "" : `: ${reasonWords(channel, reason)}`;
  switch (status) {
    case "sent":
      return attempts > 1 ? `It took ${attempts} attempts.` : null;
    case "pending":
      return attempts === 0
        ? "Waiting to be sent."
        : `Tried ${times(attempts)}${why}; the service tries again for ${retryForMs / hourMs} hours in all.`;
    case "failed":
      return `Given up after ${attempts === 1 ? "one attempt" : `${attempts} attempts`}${why}.`;
    case "skipped":
      return `Not sent${why}.`;
  }
}

/** For the message that the alert has ended. */
export const endWords: Readonly<Record<ChannelDelivery["status"], string>> = {
  sent: "sent",
  pending: "waiting for the next attempt",
  failed: "given up: the message was refused, or could not be sent in time",
  skipped: "not sent: the alert was acknowledged, or its rule was muted, or the server was in maintenance",
};

export const deliveryMeanings: Readonly<Record<ChannelDelivery["status"], Meaning>> = {
  sent: "good",
  pending: "watch",
  failed: "bad",
  skipped: "silenced",
};

export interface NamedRecord {
  readonly name: string;
  readonly channel: DeliveryChannel;
  readonly record: ChannelDelivery;
}

/** The channels of the account; the second channel is named as such. */
export const recordsOf = (delivery: Delivery): readonly NamedRecord[] =>
  deliverySlots.flatMap((slot): NamedRecord[] => {
    if (slot !== "second") {
      const record = delivery[slot];
      return record === null ? [] : [{ name: channelNames[slot], channel: slot, record }];
    }
    const { second } = delivery;
    if (second === null) return [];
    const { channel } = second;
    return [{ name: `${channelNames[channel]}, as second channel`, channel, record: second }];
  });

/** Whether no message left the service: only somebody who looks at the app sees the alert. */
export const isInAppOnly = ({ delivery }: Pick<Alert, "delivery">): boolean => {
  const sent = recordsOf(delivery).filter(({ record }) => record.status === "sent");
  return sent.length > 0 && sent.every(({ channel }) => channel === "in_app");
};

/** The channels that sent an alert, or why none did. */
export function deliverySentence({ delivery }: Pick<Alert, "delivery">): string {
  const all = recordsOf(delivery);
  const sent = all.filter(({ record }) => record.status === "sent");
  if (isInAppOnly({ delivery })) return "Shown in the app only: no message went out.";
  if (sent.length > 0) return `Notified by: ${sent.map(({ name }) => name).join(", ")}.`;
  const inUse = all.filter(({ record }) => record.reason !== "channel_off");
  if (inUse.length === 0) return "Nobody was notified: every channel of the rule is switched off.";
  const pending = inUse.filter(({ record }) => record.status === "pending");
  if (pending.some(({ record }) => record.attempts > 0))
    return "Nobody was notified yet: sending the message failed, and the service tries again.";
  if (pending.length > 0) return "Nobody was notified yet: the message waits to be sent.";
  const why = inUse.flatMap(({ channel, record: { reason } }) =>
    reason === null ? [] : [reasonWords(channel, reason)],
  );
  return `Nobody was notified: ${[...new Set(why)].join("; ")}.`;
}

/** Null for an alert of an event. */
export const watchedOf = ({ metric, condition, threshold, duration_minutes }: Alert): string | null =>
  watchedWords({ metric, condition, threshold, durationMinutes: duration_minutes });

export const statusMeanings: Readonly<Record<Alert["status"], Meaning>> = {
  open: "bad",
  acknowledged: "watch",
  resolved: "good",
};

/** An alert of an event has no end. */
export const statusWord = ({ kind, status, resolution_reason }: Alert): string =>
  kind === "event" ? "event" : status === "resolved" && resolution_reason !== "recovered" ? "closed" : status;

/** A resolved alert is good only if the metric recovered. */
export const meaningOf = ({ kind, status, resolution_reason }: Alert): Meaning => {
  if (kind === "event") return "watch";
  return status === "resolved" && resolution_reason !== "recovered" ? "unknown" : statusMeanings[status];
};
