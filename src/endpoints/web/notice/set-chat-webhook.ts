import { changeSettings } from "../../../services/notice/change-settings.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { accepting } from "../../../core/accepted-form.ts";
import { NotificationView } from "../../../core/notice/settings-view.ts";
import { webhookUrl } from "../../../core/notice/webhook-url.ts";
import { exampleNotificationSettings } from "./example-settings.ts";
import { showSettings } from "./show-settings.ts";

const Webhook = accepting(
  z.string().refine((text) => webhookUrl(text) !== null),
  "an https address without a user name, at port 443 or one from 1024",
);

export const setChatWebhook = defineEndpoint({
  id: "notifications.set_chat",
  method: "PUT",
  path: "/account/notifications/chat",
  params: {},
  access: { face: "web", who: "person" },
  summary: "Set the chat webhook that alerts are posted to; null removes it.",
  input: z.strictObject({ url: Webhook.nullable() }),
  output: NotificationView,
  errors: ["not_found", "validation_error"],
  example: {
    input: { url: "https://hooks.slack.com/services/T0/B0/example" },
    output: exampleNotificationSettings,
  },

  async handle({ url }, context) {
    const { db, caller, now, addresses, fail, found } = context;
    const { id } = caller.account;
    const webhook = url === null ? null : webhookUrl(url);
    if (webhook && !(await addresses.mayCall(webhook))) {
      fail(
        "validation_error",
        "Messages cannot be sent to that host: its name was not found, or it is not on the public internet. Check the spelling of the address.",
        { field: "url" },
      );
    }
    const sealedChat = webhook && addresses.seal(id, "chat", webhook.href);
    await db.write(changeSettings, id, now, (settings) => ({ ...settings, sealedChat }));
    return showSettings(context, found);
  },
});
