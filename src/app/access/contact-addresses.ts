import { maskedAddress } from "../../core/notice/mail-address.ts";
import type { OutsideChannel } from "../../core/notice/channel.ts";
import type { WebhookSecrets } from "../../core/notice/webhook-secrets.ts";
import { addressBinding } from "./message-sender.ts";
import type { Sealer } from "./sealed.ts";
import { openWebhookSecrets, sealWebhookSecrets } from "./webhook-secrets.ts";

/** Seals and opens addresses for messages; whole addresses stay in here. */
export interface ContactAddresses {
  readonly sendsMail: boolean;
  seal(accountId: string, channel: OutsideChannel, address: string): string;
  /** Enough of an address to recognise it, not to use it; null if it cannot be opened. */
  hint(accountId: string, channel: OutsideChannel, sealed: string): string | null;
  sealSecrets(accountId: string, secrets: WebhookSecrets): string;
  /** Null if they cannot be opened. */
  openSecrets(accountId: string, sealed: string): WebhookSecrets | null;
  /** Whether the rules of sending allow the host of a webhook. */
  mayCall(webhook: URL): Promise<boolean>;
}

export type OutgoingChannels = Pick<ContactAddresses, "sendsMail" | "mayCall">;

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
