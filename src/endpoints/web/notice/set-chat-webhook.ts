import { changeSettings } from "../../../services/notice/change-settings.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { NotificationView } from "../../../core/notice/settings-view.ts";
import { exampleNotificationSettings } from "./example-settings.ts";
import { showSettings } from "./show-settings.ts";
import { callableWebhook, WebhookAddress } from "./webhook-address.ts";

export const setChatWebhook = defineEndpoint({
  id: "notifications.set_chat",
  method: "PUT",
  path: "/account/notifications/chat",
  params: {},
  access: { face: "web", who: "person", freshProof: true },
  summary: "Set the chat webhook that alerts are posted to; null removes it.",
  input: z.strictObject({ url: WebhookAddress.nullable() }),
  output: NotificationView,
  errors: ["not_found", "validation_error"],
  example: {
    input: { url: "https://hooks.slack.com/services/T0/B0/example" },
    output: exampleNotificationSettings,
  },

  async handle({ url }, context) {
    const { db, caller, now, addresses, found } = context;
    const { id } = caller.account;
    const webhook = url === null ? null : await callableWebhook(url, context);
    const sealedChat = webhook && addresses.seal(id, "chat", webhook.href);
    await db.write(changeSettings, id, now, (settings) => ({ ...settings, sealedChat }));
    return showSettings(context, found);
  },
});
