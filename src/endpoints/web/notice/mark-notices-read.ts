import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";

export const markNoticesRead = defineEndpoint({
  id: "notices.mark_read",
  method: "POST",
  path: "/account/notices/read",
  params: {},
  access: { face: "web", who: "person" },
  summary: "Mark every in-app message that came so far as read.",
  input: z.strictObject({}),
  output: z.object({ unread: z.int() }),
  errors: [],
  idempotent: true,
  example: { input: {}, output: { unread: 0 } },

  async handle(_input, { stores, caller, now }) {
    await stores.notices.markRead(caller.account.id, now);
    return { unread: await stores.notices.countUnread(caller.account.id) };
  },
});
