import { selectInbox, countUnread } from "../../../store/notice/notices.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { pageInput, pageOf } from "../../../contract/endpoint/page.ts";
import { InboxNotice, toInboxNotice } from "../../../core/notice/inbox-view.ts";
import { timePosition } from "../../../core/position.ts";

export const listNotices = defineEndpoint({
  id: "notices.list",
  method: "GET",
  path: "/account/notices",
  params: {},
  access: { face: "web", who: "person" },
  summary: "In-app messages of the account, newest first, and the number that is not marked as read.",
  input: z.strictObject(pageInput),
  output: pageOf(InboxNotice).extend({ unread: z.int() }),
  errors: [],
  example: {
    input: {},
    output: {
      data: [
        {
          id: "019a9f5e-1d00-7000-8000-000000000090",
          kind: "alert",
          title: "Low TPS on Lobby",
          lines: ["TPS: 14.2", "Rule: TPS below 18 for 5 min"],
          tone: "bad",
          link: "/alerts/019a9f5e-1d00-7000-8000-000000000061",
          server_id: "019a9f5e-1d00-7000-8000-000000000010",
          alert_id: "019a9f5e-1d00-7000-8000-000000000061",
          created_at: "2026-11-20T07:25:00.000Z",
          read_at: null,
        },
      ],
      page: { cursor: null, has_more: false },
      unread: 1,
    },
  },

  async handle({ limit }, { db, caller, after, page }) {
    const { id } = caller.account;
    const rows = await db.read(selectInbox, id, timePosition(after), limit + 1);
    const unread = await db.read(countUnread, id);
    return { ...page(rows, limit, (row) => [row.createdAt, row.id], toInboxNotice), unread };
  },
});
