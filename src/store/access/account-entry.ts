import type { Account } from "../../core/access/account.ts";
import type { CodePurpose } from "../../core/access/one-time-code.ts";
import type { AccountStore } from "../../core/access/store.ts";
import { accountCreated, passwordReset } from "../../core/service-log/entries.ts";
import { findAccount, findByEmail, insertAccount, setHash, setVerified } from "./account-rows.ts";
import { accountTable } from "./tables.ts";
import { one, run, Undo, type Database, type Result, type Step } from "../engine/database.ts";
import { endCodes, useCode } from "./one-time-codes.ts";
import { query } from "../engine/query.ts";
import { note } from "../service-log/service-log.ts";
import { endSessionsBut } from "./sessions.ts";

/** How people get into their accounts: the part of the store that is about passwords, addresses and codes. */
type AccountEntry = Pick<
  AccountStore,
  | "any"
  | "createFirst"
  | "createInvited"
  | "credentials"
  | "changePassword"
  | "setEmail"
  | "verifyEmailBy"
  | "resetPasswordBy"
>;

const anyAccount = query<Record<string, never>>()((db) => db.selectFrom("account").select("id").limit(1));

/** Two set-ups wait for each other at this row, whoever they are: it is there from the first one on. */
const makeSetUpRow = query<{ now: number }>()((db, $) =>
  db
    .insertInto("one_time_code")
    .values({
      id: "set_up",
      purpose: "set_up",
      digest: "set_up",
      account_id: null,
      email: null,
      created_at: $.now,
      expires_at: $.now,
      used_at: $.now,
    })
    // Of no one column: PostgreSQL would refuse what meets another set-up in the other unique index first.
    .onConflict((conflict) => conflict.doNothing()),
);

const noteSetUp = query<{ now: number }>()((db, $) =>
  db.updateTable("one_time_code").set({ used_at: $.now }).where("id", "=", "set_up"),
);

const withHash = query<{ email: string }>()((db, $) =>
  db
    .selectFrom("account")
    .select([...accountTable.own, "password_hash", "device_generation"])
    .where("email", "=", $.email),
);

const setEmail = query<{ id: string; email: string }>()((db, $) =>
  db.updateTable("account").set({ email: $.email, email_verified: 0 }).where("id", "=", $.id),
);

/** The account a code is about, once the code is used up; null when its mail went to another address. */
function* accountByCode(
  digest: string,
  purpose: CodePurpose,
  now: number,
): Generator<Step, Account | null, Result> {
  const code = yield* useCode(digest, purpose, now);
  const row = code && (yield* one(findAccount, { id: code.accountId }));
  return row && row.email === code.email ? accountTable.toRecord(row) : null;
}

/** PostgreSQL's word for a value that has to be the only one of its kind and is not. */
const isDuplicate = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "23505";

export const accountEntry = (db: Database): AccountEntry => ({
  any: () =>
    db.read(function* () {
      return (yield* one(anyAccount, {})) !== null;
    }),
  createFirst: (account, passwordHash, act) =>
    db.write("saved", function* () {
      yield* run(makeSetUpRow, { now: account.createdAt });
      yield* run(noteSetUp, { now: account.createdAt });
      if (yield* one(anyAccount, {})) return false;
      const made = yield* insertAccount(account, passwordHash);
      if (made) yield* note(act, accountCreated(account));
      return made;
    }),
  createInvited: (account, passwordHash, invitation) =>
    db.write("saved", function* () {
      if (!(yield* useCode(invitation, "invitation", account.createdAt))) return "unknown_code";
      if (!(yield* insertAccount(account, passwordHash))) throw new Undo("taken");
      return "created";
    }),
  credentials: (email) =>
    db.read(function* () {
      const row = yield* one(withHash, { email: email.toLowerCase() });
      if (!row) return null;
      const { password_hash: passwordHash, device_generation: deviceGeneration } = row;
      return { account: accountTable.toRecord(row), passwordHash, deviceGeneration };
    }),
  changePassword: (id, hash, keptSession, act) =>
    db.write("saved", function* () {
      yield* endCodes(id, "reset_password");
      yield* run(setHash, { id, hash });
      yield* endSessionsBut(id, keptSession);
      yield* note(act, passwordReset(id));
    }),
  setEmail: (id, email) =>
    db
      .write("saved", function* () {
        const holder = yield* one(findByEmail, { email });
        if (holder && holder.id !== id) return false;
        yield* run(setEmail, { id, email });
        return true;
      })
      .catch((error: unknown) => {
        // Another account took it between the two statements.
        if (isDuplicate(error)) return false;
        throw error;
      }),
  verifyEmailBy: (digest, now) =>
    db.write("saved", function* () {
      const account = yield* accountByCode(digest, "verify_email", now);
      if (!account) return null;
      yield* run(setVerified, { id: account.id, verified: 1 });
      return { ...account, emailVerified: true };
    }),
  resetPasswordBy: (digest, hash, now) =>
    db.write("saved", function* () {
      const account = yield* accountByCode(digest, "reset_password", now);
      if (!account) return null;
      yield* run(setHash, { id: account.id, hash });
      yield* endSessionsBut(account.id, null);
      return account;
    }),
});
