import type { Notifier, SignedWebhook } from "../../core/notice/notifier.ts";
import type { MessageChannel, OutsideChannel } from "../../core/notice/channel.ts";
import type { DispatchResult, NotificationSettings, Recipient } from "../../core/notice/records.ts";
import type { Sending } from "../../core/notice/sending.ts";
import { webhookEvent } from "../../core/notice/webhook-event.ts";
import { signingSecrets } from "../../core/notice/webhook-secrets.ts";
import type { Instant } from "../../core/time.ts";
import { sealer, type Sealer } from "./sealed.ts";
import { openWebhookSecrets } from "./webhook-secrets.ts";

/** One attempt to send a message outside the service. Never throws. */
export type MessageSender = (
  recipient: Recipient,
  channel: OutsideChannel,
  sending: Sending,
) => Promise<DispatchResult>;

export const addressBinding = (accountId: string, channel: OutsideChannel): string =>
  `notification ${channel} of ${accountId}`;

/** The purpose is part of the key: with another name, no stored address would open. */
export const addressSealer = (secrets: readonly string[]): Sealer => sealer(secrets, "vault cipher");

const notConfigured: DispatchResult = { status: "skipped", reason: "not_configured" };

/** Not tried again, so that the second channel of the account gets the message. */
const unreadable: DispatchResult = {
  status: "failed",
  reason: "unreadable",
  detail: "no secret of this service opens the stored address",
  again: "never",
  retryAfterMs: null,
};

const unverified: DispatchResult = { status: "skipped", reason: "address_unverified" };

/** Addresses and webhook secrets are opened only for the moment of sending. */
export function messageSender(addresses: Sealer, notifier: Notifier): MessageSender {
  return async (recipient, channel, sending) => {
    const { message, id, now } = sending;
    const { accountId, settings } = recipient;
    const { sealedEmail, sealedChat } = settings;
    const sendTo = (kind: MessageChannel, destination: string | null) =>
      destination === null ? unreadable : notifier.send(kind, destination, message, id);
    const opened = (sealed: string) => addresses.open(sealed, addressBinding(accountId, channel));
    switch (channel) {
      case "webhook": {
        if (settings.sealedWebhook === null) return notConfigured;
        const webhook = openedWebhook(addresses, accountId, settings, now);
        if (webhook === null) return unreadable;
        return notifier.post(webhook, webhookEvent(sending), id, now);
      }
      case "chat":
        return sealedChat === null ? notConfigured : sendTo(channel, opened(sealedChat));
      case "email":
        if (sealedEmail === null)
          return recipient.emailVerified ? sendTo(channel, recipient.email) : unverified;
        return settings.emailVerifiedAt === null ? unverified : sendTo(channel, opened(sealedEmail));
    }
  };
}

/** Null if one of its seals cannot be opened. */
function openedWebhook(
  addresses: Sealer,
  accountId: string,
  { sealedWebhook, sealedWebhookSecrets }: NotificationSettings,
  now: Instant,
): SignedWebhook | null {
  if (sealedWebhook === null || sealedWebhookSecrets === null) return null;
  const url = addresses.open(sealedWebhook, addressBinding(accountId, "webhook"));
  const secrets = openWebhookSecrets(addresses, accountId, sealedWebhookSecrets);
  if (url === null || secrets === null) return null;
  return { url, secrets: signingSecrets(secrets, now).map(({ secret }) => secret) };
}
