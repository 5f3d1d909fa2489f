import { action } from "../../contract/endpoint/action.ts";
import { changeSettings } from "../../services/notice/change-settings.ts";
import { z } from "zod";
import { showSettings } from "./show-settings.ts";

/** For notices that are not alerts, besides in-app: new reports, regressions, actions of tokens. */
export const setNoticeChannels = action({
  id: "notifications.set_notices",
  who: "person",
  input: { by_email: z.boolean(), by_chat: z.boolean(), by_webhook: z.boolean() },
  errors: ["not_found"],

  async run({ by_email, by_chat, by_webhook }, context) {
    const { db, caller, now, found } = context;
    const wishes = { noticesByEmail: by_email, noticesByChat: by_chat, noticesByWebhook: by_webhook };
    await db.write(changeSettings, caller.account.id, now, (settings) => ({ ...settings, ...wishes }));
    return showSettings(context, found);
  },
});
