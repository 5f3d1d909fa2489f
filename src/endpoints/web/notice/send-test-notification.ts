import { recipientOf } from "../../../store/notice/recipients.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { attemptTest, requireTestAllowed } from "../../../contract/call/test-message.ts";
import { ChannelDelivery, showChannel, toTell } from "../../../core/alert/delivery.ts";
import { OutsideChannel } from "../../../core/notice/channel.ts";
import { channelTestMessage } from "../../../core/notice/notices.ts";

export const sendTestNotification = defineEndpoint({
  id: "notifications.test",
  method: "POST",
  path: "/account/notifications/test",
  params: {},
  access: { face: "web", who: "person" },
  summary: "Send a message marked [TEST] over one channel now, and show the result.",
  input: z.strictObject({ channel: OutsideChannel }),
  output: z.object({ channel: OutsideChannel, delivery: ChannelDelivery }),
  errors: ["not_found", "rate_limited"],
  example: {
    input: { channel: "chat" },
    output: {
      channel: "chat",
      delivery: { status: "skipped", reason: "not_configured", at: null, attempts: 0, resolved_status: null },
    },
  },

  async handle({ channel }, { db, caller, now, secrets, sendMessage, fail, found }) {
    const { account } = caller;
    const recipient = found(await db.read(recipientOf, account.id));
    const id = secrets.newId(now);
    await requireTestAllowed(db, account.id, id, now, fail);
    const message = channelTestMessage("/settings/notifications");
    const record = await attemptTest(toTell, channel, { sendMessage, recipient, message, id, now });
    return { channel, delivery: showChannel(record) };
  },
});
