import { action } from "../../contract/endpoint/action.ts";
import { OutsideChannel } from "../../core/notice/channel.ts";
import { changeSettings } from "../../services/notice/change-settings.ts";
import { showSettings } from "./show-settings.ts";

/** The channel for messages that another channel could not deliver; null for none. */
export const setSecondChannel = action({
  id: "notifications.set_second",
  who: "person",
  input: { channel: OutsideChannel.nullable() },
  errors: ["not_found"],

  async run({ channel }, context) {
    const { db, caller, now, found } = context;
    await db.write(changeSettings, caller.account.id, now, (settings) => ({
      ...settings,
      secondChannel: channel,
    }));
    return showSettings(context, found);
  },
});
