import { z } from "zod";
import { toTimestamp, toTimestampOrNull, type Instant } from "../time.ts";
import { Timestamp } from "../timestamp.ts";
import { OutsideChannel } from "./channel.ts";
import type { NotificationSettings, PendingAddress, Recipient } from "./records.ts";

/** Shows enough of each address to recognise it, never the whole. */
export const NotificationView = z.object({
  email: z.object({
    /** `account`: the address its owner signs in with. */
    source: z.enum(["account", "other"]),
    address_hint: z.string().nullable(),
    verified: z.boolean(),
  }),
  pending: z.object({ address_hint: z.string().nullable(), expires_at: Timestamp }).nullable(),
  chat: z.object({ set: z.boolean(), host: z.string().nullable() }),
  webhook: z.object({
    set: z.boolean(),
    host: z.string().nullable(),
    /** Until when a replaced secret signs too; null when only one signs. */
    old_secret_until: Timestamp.nullable(),
  }),
  notices_by_email: z.boolean(),
  notices_by_chat: z.boolean(),
  notices_by_webhook: z.boolean(),
  digest_by_email: z.boolean(),
  digest_by_chat: z.boolean(),
  /** Gets messages that another channel could not deliver. */
  second_channel: OutsideChannel.nullable(),
  /** False if no mail server is configured. */
  sends_mail: z.boolean(),
});
export type NotificationView = z.infer<typeof NotificationView>;

export interface AddressHints {
  readonly own: string;
  /** Null if the address is not set, or its seal opens no more. */
  readonly email: string | null;
  readonly pending: string | null;
  readonly chat: string | null;
  readonly webhook: string | null;
  readonly oldSecretUntil: Instant | null;
}

const emailView = ({ emailVerified, settings }: Recipient, hints: AddressHints): NotificationView["email"] =>
  settings.sealedEmail === null
    ? { source: "account", address_hint: hints.own, verified: emailVerified }
    : { source: "other", address_hint: hints.email, verified: settings.emailVerifiedAt !== null };

const chatView = ({ sealedChat }: NotificationSettings, host: string | null): NotificationView["chat"] => ({
  set: sealedChat !== null,
  host,
});

export const toNotificationView = (
  recipient: Recipient,
  pending: PendingAddress | null,
  hints: AddressHints,
  sendsMail: boolean,
): NotificationView => ({
  email: emailView(recipient, hints),
  pending: pending && { address_hint: hints.pending, expires_at: toTimestamp(pending.expiresAt) },
  chat: chatView(recipient.settings, hints.chat),
  webhook: {
    set: recipient.settings.sealedWebhook !== null,
    host: hints.webhook,
    old_secret_until: toTimestampOrNull(hints.oldSecretUntil),
  },
  notices_by_email: recipient.settings.noticesByEmail,
  notices_by_chat: recipient.settings.noticesByChat,
  notices_by_webhook: recipient.settings.noticesByWebhook,
  second_channel: recipient.settings.secondChannel,
  digest_by_email: recipient.settings.digestByEmail,
  digest_by_chat: recipient.settings.digestByChat,
  sends_mail: sendsMail,
});
