import { recipientOf } from "../../store/notice/recipients.ts";
import { selectPendingAddress } from "../../store/notice/notification-settings.ts";
import type { SessionCaller } from "../../contract/call/caller.ts";
import type { Context, Found } from "../../contract/call/context.ts";
import { maskedAddress } from "../../core/notice/mail-address.ts";
import { lastOldSecretUntil } from "../../core/notice/webhook-secrets.ts";
import { toNotificationView, type NotificationView } from "../../core/notice/settings-view.ts";

type NotificationContext = Pick<Context<SessionCaller, never>, "db" | "caller" | "now" | "addresses">;

export async function showSettings(
  { db, caller, now, addresses }: NotificationContext,
  found: Found,
): Promise<NotificationView> {
  const { id } = caller.account;
  const recipient = found(await db.read(recipientOf, id));
  const pending = await db.read(selectPendingAddress, id, now);
  const { sealedEmail, sealedChat, sealedWebhook, sealedWebhookSecrets } = recipient.settings;
  const webhookSecrets = sealedWebhookSecrets && addresses.openSecrets(id, sealedWebhookSecrets);
  const hints = {
    own: maskedAddress(recipient.email),
    email: sealedEmail && addresses.hint(id, "email", sealedEmail),
    pending: pending && addresses.hint(id, "email", pending.sealed),
    chat: sealedChat && addresses.hint(id, "chat", sealedChat),
    webhook: sealedWebhook && addresses.hint(id, "webhook", sealedWebhook),
    oldSecretUntil: webhookSecrets ? lastOldSecretUntil(webhookSecrets, now) : null,
  };
  return toNotificationView(recipient, pending, hints, addresses.sendsMail);
}
