import { testsPerWindow, testWindowMs, type NoticeStore } from "../../core/notice/store.ts";
import { all, one, run, type Database, type Result, type Step } from "../engine/database.ts";
import { lockAccount } from "../server/locks.ts";
import { addToInbox, queueNotice } from "./outbox.ts";
import { notificationSettings } from "./notification-settings.ts";
import { fromTop, query } from "../engine/query.ts";
import { recipientOf } from "./recipients.ts";
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

const testsWithin = query<{ account: string; since: number; now: number }>()((db, $) =>
  db
    .selectFrom("test_message")
    .select("sent_at")
    .where("account_id", "=", $.account)
    .where("sent_at", ">", $.since)
    // One from a time when our clock was ahead does not block for longer than the window.
    .where("sent_at", "<=", $.now)
    .orderBy("sent_at"),
);

const insertTest = query<{ id: string; account: string; now: number }>()((db, $) =>
  db.insertInto("test_message").values({ id: $.id, account_id: $.account, sent_at: $.now }),
);

function* countTest(account: string, id: string, now: number): Generator<Step, number | null, Result> {
  yield* lockAccount(account);
  const sent = yield* all(testsWithin, { account, since: now - testWindowMs, now });
  const oldest = sent.at(-testsPerWindow);
  if (oldest) return Math.max(1, Math.ceil((oldest.sent_at + testWindowMs - now) / 1000));
  yield* run(insertTest, { id, account, now });
  return null;
}

export function noticeReads(db: Database): Omit<NoticeStore, "claimDispatch" | "settleDispatch"> {
  return {
    ...notificationSettings(db),
    recipient: (account) => db.read(() => recipientOf(account)),
    queue: (notice) => db.write("saved", () => queueNotice(notice)),
    inbox: (account, after, limit) =>
      db.read(function* () {
        return (yield* all(inbox, { account, ...(after ?? fromTop), limit })).map(inboxTable.toRecord);
      }),
    countUnread: (account) =>
      db.read(function* () {
        return (yield* one(unread, { account }))?.count ?? 0;
      }),
    markRead: (account, now) =>
      db.write("counted", function* () {
        yield* run(markRead, { account, now });
      }),
    countTest: (account, id, now) => db.write("saved", () => countTest(account, id, now)),
    addTest: (accountId, id, message, now) =>
      db.write("saved", () =>
        addToInbox({
          id,
          accountId,
          kind: "test",
          message,
          serverId: null,
          alertId: null,
          createdAt: now,
          readAt: null,
        }),
      ),
  };
}
