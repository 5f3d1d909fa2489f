import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { OutsideChannel } from "../../../core/notice/channel.ts";
import { NotificationView } from "../../../core/notice/settings-view.ts";
import { changeSettings } from "../../../services/notice/change-settings.ts";
import { exampleNotificationSettings } from "./example-settings.ts";
import { showSettings } from "./show-settings.ts";

export const setSecondChannel = defineEndpoint({
  id: "notifications.set_second",
  method: "PUT",
  path: "/account/notifications/second",
  params: {},
  access: { face: "web", who: "person" },
  summary: "Set the channel that gets the messages which another channel could not deliver; null for none.",
  input: z.strictObject({ channel: OutsideChannel.nullable() }),
  output: NotificationView,
  errors: ["not_found"],
  example: {
    input: { channel: "email" },
    output: { ...exampleNotificationSettings, second_channel: "email" },
  },

  async handle({ channel }, context) {
    const { db, caller, now, found } = context;
    await db.write(changeSettings, caller.account.id, now, (settings) => ({
      ...settings,
      secondChannel: channel,
    }));
    return showSettings(context, found);
  },
});
