import { action } from "../../contract/endpoint/action.ts";
import { changeSettings } from "../../services/notice/change-settings.ts";
import { showSettings } from "./show-settings.ts";
import { callableWebhook, WebhookAddress } from "./webhook-address.ts";

/** Null removes it. */
export const setChatWebhook = action({
  id: "notifications.set_chat",
  who: "person",
  freshProof: true,
  input: { url: WebhookAddress.nullable() },
  errors: ["not_found", "validation_error"],

  async run({ url }, context) {
    const { db, caller, now, addresses, found } = context;
    const { id } = caller.account;
    const webhook = url === null ? null : await callableWebhook(url, context);
    const sealedChat = webhook && addresses.seal(id, "chat", webhook.href);
    await db.write(changeSettings, id, now, (settings) => ({ ...settings, sealedChat }));
    return showSettings(context, found);
  },
});
