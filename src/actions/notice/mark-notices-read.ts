import { action } from "../../contract/endpoint/action.ts";
import { countUnread, markInboxRead } from "../../store/notice/notices.ts";

export const markNoticesRead = action({
  id: "notices.mark_read",
  who: "person",
  errors: [],

  async run(_input, { db, caller, now }) {
    await db.writeRelaxed(markInboxRead, caller.account.id, now);
    return { unread: await db.read(countUnread, caller.account.id) };
  },
});
