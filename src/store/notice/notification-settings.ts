import {
  confirmationTries,
  defaultSettings,
  type NoticeStore,
  type NotificationSettings,
} from "../../core/notice/store.ts";
import { one, run, type Database, type Result, type Step } from "../engine/database.ts";
import { lockAccount } from "../server/locks.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { notificationSettingTable, pendingAddressTable } from "./tables.ts";
import { recipientOf } from "./recipients.ts";

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
      }),
    ),
);

const pendingOf = query<{ account: string; now: number }>()((db, $) =>
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

const countTry = query<{ account: string }>()((db, $) =>
  db
    .updateTable("pending_address")
    .set((eb) => ({ tries: eb("tries", "+", 1) }))
    .where("account_id", "=", $.account),
);

const forget = query<{ account: string }>()((db, $) =>
  db.deleteFrom("pending_address").where("account_id", "=", $.account),
);

function* saved(account: string, settings: NotificationSettings, now: number): Generator<Step, void, Result> {
  yield* run(save, {
    ...notificationSettingTable.toRow(settings),
    account_id: account,
    updated_at: now,
  });
}

type Change = (settings: NotificationSettings) => NotificationSettings;

/** Whoever calls holds the account's lock, so that no two changes cross. */
function* changed(account: string, change: Change, now: number): Generator<Step, void, Result> {
  const recipient = yield* recipientOf(account);
  yield* saved(account, change(recipient?.settings ?? defaultSettings), now);
}

type Confirmed = Generator<Step, Awaited<ReturnType<NoticeStore["confirmAddress"]>>, Result>;

function* confirmAddress(account: string, codeDigest: string, now: number): Confirmed {
  yield* lockAccount(account);
  const pending = yield* one(pendingOf, { account, now });
  if (!pending) return "none";
  if (pending.code_digest !== codeDigest) {
    yield* run(countTry, { account });
    return "wrong";
  }
  yield* changed(
    account,
    (before) => ({ ...before, sealedEmail: pending.address, emailVerifiedAt: now }),
    now,
  );
  yield* run(forget, { account });
  return "confirmed";
}

type SettingsWrites = Pick<
  NoticeStore,
  "saveSettings" | "changeSettings" | "pendingAddress" | "awaitCode" | "forgetPending" | "confirmAddress"
>;

/** The part of the notices that says where an account is told. */
export const notificationSettings = (db: Database): SettingsWrites => ({
  saveSettings: (account, settings, now) => db.write("saved", () => saved(account, settings, now)),
  changeSettings: (account, now, change) =>
    db.write("saved", function* () {
      yield* lockAccount(account);
      yield* changed(account, change, now);
    }),
  pendingAddress: (account, now) =>
    db.read(function* () {
      const row = yield* one(pendingOf, { account, now });
      return row && pendingAddressTable.toRecord(row);
    }),
  awaitCode: (account, pending) =>
    db.write("saved", function* () {
      yield* run(putPending, { ...pendingAddressTable.toRow(pending), account_id: account, tries: 0 });
    }),
  forgetPending: (account) =>
    db.write("saved", function* () {
      yield* run(forget, { account });
    }),
  confirmAddress: (account, digest, now) => db.write("saved", () => confirmAddress(account, digest, now)),
});
