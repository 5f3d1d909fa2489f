import { changeSettings } from "../../../services/notice/change-settings.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { NotificationView } from "../../../core/notice/settings-view.ts";
import { exampleNotificationSettings } from "./example-settings.ts";
import { showSettings } from "./show-settings.ts";

export const setNoticeChannels = defineEndpoint({
  id: "notifications.set_notices",
  method: "PUT",
  path: "/account/notifications/notices",
  params: {},
  access: { face: "web", who: "person" },
  summary:
    "Set where notices that are not alerts go besides in-app: new reports, regressions, actions of tokens.",
  input: z.strictObject({ by_email: z.boolean(), by_chat: z.boolean(), by_webhook: z.boolean() }),
  output: NotificationView,
  errors: ["not_found"],
  example: {
    input: { by_email: false, by_chat: true, by_webhook: false },
    output: exampleNotificationSettings,
  },

  async handle({ by_email, by_chat, by_webhook }, context) {
    const { db, caller, now, found } = context;
    const wishes = { noticesByEmail: by_email, noticesByChat: by_chat, noticesByWebhook: by_webhook };
    await db.write(changeSettings, caller.account.id, now, (settings) => ({ ...settings, ...wishes }));
    return showSettings(context, found);
  },
});
