import { countUnread, markInboxRead } from "../../../store/notice/notices.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";

export const markNoticesRead = defineEndpoint({
  id: "notices.mark_read",
  method: "POST",
  path: "/account/notices/read",
  params: {},
  access: { face: "web", who: "person" },
  summary: "Mark every in-app message of the account as read.",
  input: z.strictObject({}),
  output: z.object({ unread: z.int() }),
  errors: [],
  idempotent: true,
  example: { input: {}, output: { unread: 0 } },

  async handle(_input, { db, caller, now }) {
    await db.writeRelaxed(markInboxRead, caller.account.id, now);
    return { unread: await db.read(countUnread, caller.account.id) };
  },
});
