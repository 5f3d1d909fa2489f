import type { Notifier, SignedWebhook } from "../../core/notice/notifier.ts";
import type { OutsideChannel } from "../../core/notice/channel.ts";
import type { DispatchResult, NotificationSettings, Recipient } from "../../core/notice/records.ts";
import type { Sending } from "../../core/notice/sending.ts";
import { webhookEvent } from "../../core/notice/webhook-event.ts";
import { signingSecrets } from "../../core/notice/webhook-secrets.ts";
import type { Instant } from "../../core/time.ts";
import { sealer, type Sealer } from "./sealed.ts";
import { openWebhookSecrets } from "./webhook-secrets.ts";

/** One attempt to tell an account something outside: finds the address, and sends. Never throws. */
export type MessageSender = (
  recipient: Recipient,
  channel: OutsideChannel,
  sending: Sending,
) => Promise<DispatchResult>;

/** What an address or webhook URL of an account is sealed for. */
export const addressBinding = (accountId: string, channel: OutsideChannel): string =>
  `notification ${channel} of ${accountId}`;

/** How mail addresses and webhook URLs are kept. The purpose is part of the key: another name would open none of them. */
export const addressSealer = (secrets: readonly string[]): Sealer => sealer(secrets, "vault cipher");

const notConfigured: DispatchResult = { status: "skipped", reason: "not_configured" };

/** Given up at once, so that the second channel of the account gets the message. */
const unreadable: DispatchResult = {
  status: "failed",
  reason: "unreadable",
  detail: "no secret of this service opens the stored address",
  again: "never",
  retryAfterMs: null,
};

/** Addresses and secrets of webhooks are opened here, for the moment of sending. */
export function messageSender(addresses: Sealer, notifier: Notifier): MessageSender {
  const opened = (sealed: string, { accountId }: Recipient, channel: OutsideChannel): string | null =>
    addresses.open(sealed, addressBinding(accountId, channel));

  return async (recipient, channel, sending) => {
    const { settings } = recipient;
    const { message, id, now } = sending;
    if (channel === "webhook") {
      if (settings.sealedWebhook === null) return notConfigured;
      const webhook = openedWebhook(addresses, recipient.accountId, settings, now);
      return webhook ? notifier.post(webhook, webhookEvent(sending), id, now) : unreadable;
    }
    const sealed = channel === "email" ? settings.sealedEmail : settings.sealedChat;
    if (channel === "chat" && sealed === null) return notConfigured;
    const own = sealed === null;
    if (channel === "email" && !(own ? recipient.emailVerified : settings.emailVerifiedAt !== null))
      return { status: "skipped", reason: "address_unverified" };
    const destination = own ? recipient.email : opened(sealed, recipient, channel);
    if (destination === null) return unreadable;
    return notifier.send(channel, destination, message, id);
  };
}

/** Null when its seals open no more. */
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
