import type { Message } from "../../core/notice/message.ts";
import type { Notifier, OutsideChannel } from "../../core/notice/notifier.ts";
import type { DispatchResult, Recipient } from "../../core/notice/records.ts";
import { sealer, type Sealer } from "./sealed.ts";

/** One attempt to tell an account something outside: finds the address, and sends. Never throws. */
export type MessageSender = (
  recipient: Recipient,
  channel: OutsideChannel,
  message: Message,
  id: string,
) => Promise<DispatchResult>;

/** What an address or webhook URL of an account is sealed for. */
export const addressBinding = (accountId: string, channel: OutsideChannel): string =>
  `notification ${channel} of ${accountId}`;

/** How mail addresses and webhook URLs are kept. The purpose is part of the key: another name would open none of them. */
export const addressSealer = (secrets: readonly string[]): Sealer => sealer(secrets, "vault cipher");

/** Addresses are opened here, for the moment of sending. */
export function messageSender(addresses: Sealer, notifier: Notifier): MessageSender {
  const opened = (sealed: string, { accountId }: Recipient, channel: OutsideChannel): string | null =>
    addresses.open(sealed, addressBinding(accountId, channel));

  return async (recipient, channel, message, id) => {
    const { settings } = recipient;
    const sealed = channel === "email" ? settings.sealedEmail : settings.sealedChat;
    if (channel === "chat" && sealed === null) return { status: "skipped", reason: "not_configured" };
    const own = sealed === null;
    if (channel === "email" && !(own ? recipient.emailVerified : settings.emailVerifiedAt !== null))
      return { status: "skipped", reason: "address_unverified" };
    const destination = own ? recipient.email : opened(sealed, recipient, channel);
    // A secret that was replaced twice opens nothing any more: as good as not set.
    if (destination === null) return { status: "skipped", reason: "not_configured" };
    return notifier.send(channel, destination, message, id);
  };
}
