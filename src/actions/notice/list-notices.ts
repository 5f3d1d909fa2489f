import { action } from "../../contract/endpoint/action.ts";
import { selectInbox, countUnread } from "../../store/notice/notices.ts";
import { pageInput } from "../../contract/endpoint/page.ts";
import { toInboxNotice } from "../../core/notice/inbox-view.ts";
import { timePosition } from "../../core/position.ts";

export const listNotices = action({
  id: "notices.list",
  who: "person",
  input: pageInput,
  errors: [],

  async run({ limit }, { db, caller, after, page }) {
    const { id } = caller.account;
    const rows = await db.read(selectInbox, id, timePosition(after), limit + 1);
    const unread = await db.read(countUnread, id);
    return { ...page(rows, limit, (row) => [row.createdAt, row.id], toInboxNotice), unread };
  },
});
