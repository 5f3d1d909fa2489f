import type { Alert } from "../../core/alert/alert.ts";
import { watchedWords } from "../../core/alert/message.ts";
import { channels, type Channel, type Delivery, type DeliveryReason } from "../../core/alert/delivery.ts";
import { retryForMs } from "../../core/notice/retry.ts";
import { hourMs } from "../../core/time.ts";
import type { Meaning } from "../parts/state.tsx";

type ChannelDelivery = Delivery[Channel];

export const channelNames: Readonly<Record<Channel, string>> = {
  email: "E-mail",
  chat: "Chat",
  in_app: "In-app",
};

/** Why nobody was told over a channel, and what helps, as the end of a sentence. */
const reasons: Readonly<Record<DeliveryReason, string>> = {
  channel_off: "the rule does not use this channel",
  not_configured: "nothing is set up for it: a chat takes a webhook, mail a mail server of the operator",
  address_unverified: "the e-mail address is not confirmed yet",
  cooldown: "somebody was told of this rule shortly before, and its cooldown was not over",
  maintenance: "the server was in maintenance; what is still wrong at its end is told then",
  muted: "the rule was muted, or the alert was acknowledged before the message went out",
  flapping: "the rule opens again and again: it is quiet until it has not opened for 30 minutes",
  plan_required: "the plan of the account does not include monitoring",
  rate_limited: "there were too many messages for this channel at once",
  provider_error: "the mail server or chat service refused the message, or could not be reached",
  timeout: "the mail server or chat service did not answer in time",
};

/** In mail and chat `not_configured` has one cause each. */
function reasonWords(channel: Channel, reason: DeliveryReason): string {
  if (reason !== "not_configured") return reasons[reason];
  return channel === "chat"
    ? "no chat webhook is set in Settings, Notifications"
    : "this service sends no mail: its operator has not given it a mail server";
}

const times = (count: number): string => (count === 1 ? "once" : `${count} times`);

/** What became of a message over one channel, as a sentence without its full stop. */
export function deliveryWords(channel: Channel, { status, reason, attempts }: ChannelDelivery): string {
  const why = reason === null ? "" : `: ${reasonWords(channel, reason)}`;
  switch (status) {
    case "sent":
      return attempts > 1 ? `Sent at attempt ${attempts}` : "Sent";
    case "pending":
      return attempts === 0
        ? "Waiting to be sent"
        : `Tried ${times(attempts)}${why}; it is tried again, for ${retryForMs / hourMs} hours in all`;
    case "failed":
      return `Given up after ${attempts === 1 ? "one attempt" : `${attempts} attempts`}${why}`;
    case "skipped":
      return `Not sent${why}`;
  }
}

/** What became of the message that the alert is over. */
export const endWords: Readonly<Record<ChannelDelivery["status"], string>> = {
  sent: "sent",
  pending: "waiting to be sent, or to be tried again",
  failed: "given up: it was refused, or did not go out in time",
  skipped: "not sent: the alert was acknowledged, or kept quiet by a mute or maintenance",
};

export const deliveryMeanings: Readonly<Record<ChannelDelivery["status"], Meaning>> = {
  sent: "good",
  pending: "watch",
  failed: "bad",
  skipped: "silenced",
};

/** Who was told of an alert, or in one sentence why nobody was. */
export function deliverySentence({ delivery }: Pick<Alert, "delivery">): string {
  const sent = channels.filter((channel) => delivery[channel].status === "sent");
  if (sent.length > 0) return `Told: ${sent.map((channel) => channelNames[channel]).join(", ")}.`;
  const inUse = channels.filter((channel) => delivery[channel].reason !== "channel_off");
  if (inUse.length === 0) return "Nobody was told: every channel of the rule is switched off.";
  const pending = inUse.filter((channel) => delivery[channel].status === "pending");
  if (pending.some((channel) => delivery[channel].attempts > 0))
    return "Nobody was told yet: the message did not go out so far, and is tried again.";
  if (pending.length > 0) return "Nobody was told yet: the message is on its way.";
  const why = inUse.flatMap((channel) => {
    const { reason } = delivery[channel];
    return reason === null ? [] : [reasonWords(channel, reason)];
  });
  return `Nobody was told: ${[...new Set(why)].join("; ")}.`;
}

/** What a threshold alert watched for; null for one of an event. */
export const watchedOf = ({ metric, condition, threshold, duration_minutes }: Alert): string | null =>
  watchedWords({ metric, condition, threshold, durationMinutes: duration_minutes });

export const statusMeanings: Readonly<Record<Alert["status"], Meaning>> = {
  open: "bad",
  acknowledged: "watch",
  resolved: "good",
};

/** The status of an alert as a word: an event is over as it happens, and was never fixed. */
export const statusWord = ({ kind, status, resolution_reason }: Alert): string =>
  kind === "event" ? "event" : status === "resolved" && resolution_reason !== "recovered" ? "closed" : status;

/** Resolved is good news only where the metric recovered. */
export const meaningOf = ({ kind, status, resolution_reason }: Alert): Meaning => {
  if (kind === "event") return "watch";
  return status === "resolved" && resolution_reason !== "recovered" ? "unknown" : statusMeanings[status];
};
