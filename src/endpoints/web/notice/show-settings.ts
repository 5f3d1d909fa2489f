import type { SessionCaller } from "../../../contract/call/caller.ts";
import type { Context, Found } from "../../../contract/call/context.ts";
import { maskedAddress } from "../../../core/notice/mail-address.ts";
import { toNotificationView, type NotificationView } from "../../../core/notice/settings-view.ts";

type Desk = Pick<Context<SessionCaller, never>, "stores" | "caller" | "now" | "addresses">;

/** Where the caller's account is told at this moment. */
export async function showSettings(
  { stores, caller, now, addresses }: Desk,
  found: Found,
): Promise<NotificationView> {
  const { id } = caller.account;
  const recipient = found(await stores.notices.recipient(id));
  const pending = await stores.notices.pendingAddress(id, now);
  const { sealedEmail, sealedChat } = recipient.settings;
  const hints = {
    own: maskedAddress(recipient.email),
    email: sealedEmail && addresses.hint(id, "email", sealedEmail),
    pending: pending && addresses.hint(id, "email", pending.sealed),
    chat: sealedChat && addresses.hint(id, "chat", sealedChat),
  };
  return toNotificationView(recipient, pending, hints, addresses.sendsMail);
}
