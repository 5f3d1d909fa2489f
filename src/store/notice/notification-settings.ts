import type { Instant } from "../../core/time.ts";
import {
  type PendingAddress,
  confirmationTries,
  type NotificationSettings,
} from "../../core/notice/records.ts";
import { type Work, one, run } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { notificationSettingTable, pendingAddressTable } from "./tables.ts";

const save = query<RowOf<typeof notificationSettingTable>>()((db, $) =>
  db
    .insertInto("notification_setting")
    .values(placesOf(notificationSettingTable.columns, $))
    .onConflict((conflict) =>
      conflict.column("account_id").doUpdateSet({
        email: (eb) => eb.ref("excluded.email"),
        email_verified_at: (eb) => eb.ref("excluded.email_verified_at"),
        chat: (eb) => eb.ref("excluded.chat"),
        notices_email: (eb) => eb.ref("excluded.notices_email"),
        notices_chat: (eb) => eb.ref("excluded.notices_chat"),
        updated_at: (eb) => eb.ref("excluded.updated_at"),
        digest_email: (eb) => eb.ref("excluded.digest_email"),
        digest_chat: (eb) => eb.ref("excluded.digest_chat"),
        webhook: (eb) => eb.ref("excluded.webhook"),
        webhook_secrets: (eb) => eb.ref("excluded.webhook_secrets"),
        notices_webhook: (eb) => eb.ref("excluded.notices_webhook"),
        second_channel: (eb) => eb.ref("excluded.second_channel"),
      }),
    ),
);

export const findPendingAddress = query<{ account: string; now: number }>()((db, $) =>
  db
    .selectFrom("pending_address")
    .selectAll()
    .where("account_id", "=", $.account)
    .where("expires_at", ">", $.now)
    .where("tries", "<", confirmationTries),
);

const putPending = query<RowOf<typeof pendingAddressTable>>()((db, $) =>
  db
    .insertInto("pending_address")
    .values(placesOf(pendingAddressTable.columns, $))
    .onConflict((conflict) =>
      conflict.column("account_id").doUpdateSet({
        address: (eb) => eb.ref("excluded.address"),
        code_digest: (eb) => eb.ref("excluded.code_digest"),
        tries: (eb) => eb.ref("excluded.tries"),
        created_at: (eb) => eb.ref("excluded.created_at"),
        expires_at: (eb) => eb.ref("excluded.expires_at"),
      }),
    ),
);

export const countConfirmationTry = query<{ account: string }>()((db, $) =>
  db
    .updateTable("pending_address")
    .set((eb) => ({ tries: eb("tries", "+", 1) }))
    .where("account_id", "=", $.account),
);

export const forgetPendingAddress = query<{ account: string }>()((db, $) =>
  db.deleteFrom("pending_address").where("account_id", "=", $.account),
);

export function* saveSettings(account: string, settings: NotificationSettings, now: number): Work<void> {
  yield* run(save, {
    ...notificationSettingTable.toRow(settings),
    account_id: account,
    updated_at: now,
    // Only for a new row; an existing row keeps its week.
    digest_week: null,
  });
}

/** The address that waits for its code; null if there is none or it has expired. */
export function* selectPendingAddress(account: string, now: Instant): Work<PendingAddress | null> {
  const row = yield* one(findPendingAddress, { account, now });
  return row && pendingAddressTable.toRecord(row);
}

export function* upsertPendingAddress(account: string, pending: PendingAddress): Work<void> {
  yield* run(putPending, { ...pendingAddressTable.toRow(pending), account_id: account, tries: 0 });
}

export function* deletePendingAddress(account: string): Work<void> {
  yield* run(forgetPendingAddress, { account });
}
