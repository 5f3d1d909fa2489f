import { maskedAddress } from "../../core/notice/mail-address.ts";
import type { OutsideChannel } from "../../core/notice/channel.ts";
import type { WebhookSecrets } from "../../core/notice/webhook-secrets.ts";
import { addressBinding } from "./message-sender.ts";
import type { Sealer } from "./sealed.ts";
import { openWebhookSecrets, sealWebhookSecrets } from "./webhook-secrets.ts";

/** The addresses for messages, between what people type and what is stored: whole addresses stay in here. */
export interface ContactAddresses {
  /** Whether the operator gave the service a way to send mail. */
  readonly sendsMail: boolean;
  /** An address or webhook URL as it is kept for that account and channel. */
  seal(accountId: string, channel: OutsideChannel, address: string): string;
  /** Enough of a kept one to know it again, not to use it; null when it opens no more. */
  hint(accountId: string, channel: OutsideChannel, sealed: string): string | null;
  /** The secrets of an account's webhook as they are kept. */
  sealSecrets(accountId: string, secrets: WebhookSecrets): string;
  /** Null when they open no more. */
  openSecrets(accountId: string, sealed: string): WebhookSecrets | null;
  /** Whether messages are sent to the host of a webhook, by the rules of sending. */
  mayCall(webhook: URL): Promise<boolean>;
}

/** The channels that this service can send by. */
export type OutgoingChannels = Pick<ContactAddresses, "sendsMail" | "mayCall">;

/** The sealed addresses of an account, which the mail sender opens. */
export const contactAddresses = (
  sealing: Sealer,
  { sendsMail, mayCall }: OutgoingChannels,
): ContactAddresses => ({
  sendsMail,
  mayCall,
  seal: (accountId, channel, address) => sealing.seal(address, addressBinding(accountId, channel)),
  sealSecrets: (accountId, secrets) => sealWebhookSecrets(sealing, accountId, secrets),
  openSecrets: (accountId, sealed) => openWebhookSecrets(sealing, accountId, sealed),
  hint: (accountId, channel, sealed) => {
    const address = sealing.open(sealed, addressBinding(accountId, channel));
    if (address === null) return null;
    return channel === "email" ? maskedAddress(address) : new URL(address).host;
  },
});
