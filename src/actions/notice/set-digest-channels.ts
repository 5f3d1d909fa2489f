import { action } from "../../contract/endpoint/action.ts";
import { z } from "zod";
import { changeDigestChannels } from "../../services/digest/change-digest-channels.ts";
import { showSettings } from "./show-settings.ts";

/** The weekly digest is sent on Mondays at 08:00 UTC; both false switch it off. */
export const setDigestChannels = action({
  id: "notifications.set_digest",
  who: "person",
  input: { by_email: z.boolean(), by_chat: z.boolean() },
  errors: ["not_found"],

  async run({ by_email, by_chat }, context) {
    const { db, caller, now, found } = context;
    await db.write(changeDigestChannels, caller.account.id, { byEmail: by_email, byChat: by_chat }, now);
    return showSettings(context, found);
  },
});
