import { action } from "../../contract/endpoint/action.ts";
import { recipientOf } from "../../store/notice/recipients.ts";
import { attemptTest, requireTestAllowed } from "../../contract/call/test-message.ts";
import { showChannel, toTell } from "../../core/alert/delivery.ts";
import { OutsideChannel } from "../../core/notice/channel.ts";
import { channelTestMessage } from "../../core/notice/notices.ts";

/** Sends a message marked [TEST] over one channel now, and returns the result. */
export const sendTestNotification = action({
  id: "notifications.test",
  who: "person",
  input: { channel: OutsideChannel },
  errors: ["not_found", "rate_limited"],

  async run({ channel }, { db, caller, now, secrets, sendMessage, fail, found }) {
    const { account } = caller;
    const recipient = found(await db.read(recipientOf, account.id));
    const id = secrets.newId(now);
    await requireTestAllowed(db, account.id, id, now, fail);
    const message = channelTestMessage("/settings/notifications");
    const record = await attemptTest(toTell, channel, { sendMessage, recipient, message, id, now });
    return { channel, delivery: showChannel(record) };
  },
});
