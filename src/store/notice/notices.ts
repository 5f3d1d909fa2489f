import type { InboxItem } from "../../core/notice/notice.ts";
import type { TimePosition } from "../../core/position.ts";
import type { Instant } from "../../core/time.ts";
import type { Message } from "../../core/notice/message.ts";
import { type Work, all, one, run } from "../engine/database.ts";
import { addToInbox } from "./outbox.ts";
import { fromTop, query } from "../engine/query.ts";
import { inboxTable } from "./tables.ts";

const inbox = query<{ account: string; at: number; id: string; limit: number }>()((db, $) =>
  db
    .selectFrom("inbox")
    .selectAll()
    .where("account_id", "=", $.account)
    .where(({ eb, refTuple, tuple }) => eb(refTuple("created_at", "id"), "<", tuple($.at, $.id)))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit($.limit),
);

const unread = query<{ account: string }>()((db, $) =>
  db
    .selectFrom("inbox")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("account_id", "=", $.account)
    .where("read_at", "is", null),
);

const markRead = query<{ account: string; now: number }>()((db, $) =>
  db
    .updateTable("inbox")
    .set({ read_at: $.now })
    .where("account_id", "=", $.account)
    .where("read_at", "is", null),
);

export const testMessagesWithin = query<{ account: string; since: number; now: number }>()((db, $) =>
  db
    .selectFrom("test_message")
    .select("sent_at")
    .where("account_id", "=", $.account)
    .where("sent_at", ">", $.since)
    // A time from when our clock was ahead must not block for longer than the window.
    .where("sent_at", "<=", $.now)
    .orderBy("sent_at"),
);

export const insertTestMessage = query<{ id: string; account: string; now: number }>()((db, $) =>
  db.insertInto("test_message").values({ id: $.id, account_id: $.account, sent_at: $.now }),
);

export function* selectInbox(account: string, after: TimePosition | null, limit: number): Work<InboxItem[]> {
  return (yield* all(inbox, { account, ...(after ?? fromTop), limit })).map(inboxTable.toRecord);
}

export function* countUnread(account: string): Work<number> {
  return (yield* one(unread, { account }))?.count ?? 0;
}

export function* markInboxRead(account: string, now: Instant): Work<void> {
  yield* run(markRead, { account, now });
}

export function* addTestToInbox(accountId: string, id: string, message: Message, now: Instant): Work<void> {
  return yield* addToInbox({
    id,
    accountId,
    kind: "test",
    message,
    serverId: null,
    alertId: null,
    createdAt: now,
    readAt: null,
  });
}
