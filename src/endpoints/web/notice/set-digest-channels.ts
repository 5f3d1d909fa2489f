import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { NotificationView } from "../../../core/notice/settings-view.ts";
import { changeDigestChannels } from "../../../services/digest/change-digest-channels.ts";
import { exampleNotificationSettings } from "./example-settings.ts";
import { showSettings } from "./show-settings.ts";

export const setDigestChannels = defineEndpoint({
  id: "notifications.set_digest",
  method: "PUT",
  path: "/account/notifications/digest",
  params: {},
  access: { face: "web", who: "person" },
  summary: "Set where the weekly digest goes, on Mondays at 08:00 UTC; both false switch it off.",
  input: z.strictObject({ by_email: z.boolean(), by_chat: z.boolean() }),
  output: NotificationView,
  errors: ["not_found"],
  example: {
    input: { by_email: true, by_chat: false },
    output: { ...exampleNotificationSettings, digest_by_email: true },
  },

  async handle({ by_email, by_chat }, context) {
    const { db, caller, now, found } = context;
    await db.write(changeDigestChannels, caller.account.id, { byEmail: by_email, byChat: by_chat }, now);
    return showSettings(context, found);
  },
});
