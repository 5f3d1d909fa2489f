import {
  confirmationTries,
  defaultSettings,
  type NoticeStore,
  type NotificationSettings,
} from "../../core/notice/store.ts";
import { one, run, type Database, type Result, type Step } from "../engine/database.ts";
import { lockAccount } from "../server/locks.ts";
import { query } from "../engine/query.ts";
import { recipientOf } from "./recipients.ts";

const save = query<{
  account: string;
  email: string | null;
  verified: number | null;
  chat: string | null;
  notices_email: number;
  notices_chat: number;
  now: number;
}>()((db, $) =>
  db
    .insertInto("notification_setting")
    .values({
      account_id: $.account,
      email: $.email,
      email_verified_at: $.verified,
      chat: $.chat,
      notices_email: $.notices_email,
      notices_chat: $.notices_chat,
      updated_at: $.now,
    })
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

const putPending = query<{ account: string; address: string; digest: string; now: number; until: number }>()(
  (db, $) =>
    db
      .insertInto("pending_address")
      .values({
        account_id: $.account,
        address: $.address,
        code_digest: $.digest,
        tries: 0,
        created_at: $.now,
        expires_at: $.until,
      })
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
    account,
    email: settings.sealedEmail,
    verified: settings.emailVerifiedAt,
    chat: settings.sealedChat,
    notices_email: Number(settings.noticesByEmail),
    notices_chat: Number(settings.noticesByChat),
    now,
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
      if (!row) return null;
      const { address, code_digest, created_at, expires_at } = row;
      return { sealed: address, codeDigest: code_digest, createdAt: created_at, expiresAt: expires_at };
    }),
  awaitCode: (account, { sealed, codeDigest, createdAt, expiresAt }) =>
    db.write("saved", function* () {
      yield* run(putPending, {
        account,
        address: sealed,
        digest: codeDigest,
        now: createdAt,
        until: expiresAt,
      });
    }),
  forgetPending: (account) =>
    db.write("saved", function* () {
      yield* run(forget, { account });
    }),
  confirmAddress: (account, digest, now) => db.write("saved", () => confirmAddress(account, digest, now)),
});
