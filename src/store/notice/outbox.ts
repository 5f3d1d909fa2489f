import type { InboxItem } from "../../core/notice/notice.ts";
import { type Work, one, run } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { dispatchTable, inboxTable } from "./tables.ts";

export const insertDispatch = query<RowOf<typeof dispatchTable>>()((db, $) =>
  db.insertInto("dispatch").values(placesOf(dispatchTable.columns, $)),
);

const insertInbox = query<RowOf<typeof inboxTable>>()((db, $) =>
  db.insertInto("inbox").values(placesOf(inboxTable.columns, $)),
);

export const countWaiting = query<{ account: string; channel: string }>()((db, $) =>
  db
    .selectFrom("dispatch")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("account_id", "=", $.account)
    .where("channel", "=", $.channel),
);

export const findNoticeWishes = query<{ account: string }>()((db, $) =>
  db
    .selectFrom("notification_setting")
    .select(["notices_email", "notices_chat", "notices_webhook"])
    .where("account_id", "=", $.account),
);

const webhookOf = query<{ account: string }>()((db, $) =>
  db.selectFrom("notification_setting").select("webhook").where("account_id", "=", $.account),
);

export function* hasWebhook(account: string): Work<boolean> {
  return (yield* one(webhookOf, { account }))?.webhook != null;
}

export function* addToInbox(item: InboxItem & { accountId: string }): Work<void> {
  yield* run(insertInbox, { ...inboxTable.toRow({ ...item, readAt: null }), account_id: item.accountId });
}
