import type { Act } from "../../core/service-log/entry.ts";
import type { StoredPassword } from "../../core/access/stored-password.ts";
import type { Instant } from "../../core/time.ts";
import type { Account } from "../../core/access/account.ts";
import type { CodePurpose } from "../../core/access/one-time-code.ts";
import { accountCreated, passwordReset } from "../../core/service-log/entries.ts";
import { findAccount, findByEmail, insertAccount, setHash, setVerified } from "./account-rows.ts";
import { accountTable } from "./tables.ts";
import { type Work, one, run, Undo, type Database, type Result, type Step } from "../engine/database.ts";
import { endCodes, useCode } from "./one-time-codes.ts";
import { query } from "../engine/query.ts";
import { note } from "../service-log/service-log.ts";
import { endSessionsBut } from "./sessions.ts";

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

/** Whether the service has an account at all. */
export function* hasAnyAccount(): Work<boolean> {
  return (yield* one(anyAccount, {})) !== null;
}

/** The first account of a service; false when there is one already, however many ask at once. */
export function* addFirstAccount(account: Account, passwordHash: string, act?: Act): Work<boolean> {
  yield* run(makeSetUpRow, { now: account.createdAt });
  yield* run(noteSetUp, { now: account.createdAt });
  if (yield* one(anyAccount, {})) return false;
  const made = yield* insertAccount(account, passwordHash);
  if (made) yield* note(act, accountCreated(account));
  return made;
}

/** Makes an account and uses the invitation up, both or neither. */
export function* addInvitedAccount(
  account: Account,
  passwordHash: string,
  invitation: string,
): Work<"created" | "taken" | "unknown_code"> {
  if (!(yield* useCode(invitation, "invitation", account.createdAt))) return "unknown_code";
  if (!(yield* insertAccount(account, passwordHash))) throw new Undo("taken");
  return "created";
}

/** What a sign-in is checked against; null when no account has that address. */
export function* selectStoredPassword(email: string): Work<StoredPassword | null> {
  const row = yield* one(withHash, { email: email.toLowerCase() });
  if (!row) return null;
  const { password_hash: passwordHash, device_generation: deviceGeneration } = row;
  return { account: accountTable.toRecord(row), passwordHash, deviceGeneration };
}

/** A new password ends every session but `keptSession`, and every code that would reset it. */
export function* replacePassword(
  id: string,
  hash: string,
  keptSession: string | null,
  act?: Act,
): Work<void> {
  yield* endCodes(id, "reset_password");
  yield* run(setHash, { id, hash });
  yield* endSessionsBut(id, keptSession);
  yield* note(act, passwordReset(id));
}

/** The address is unverified from then on; false when another account has it. */
export async function updateAccountEmail(db: Database, id: string, email: string): Promise<boolean> {
  return db
    .write(function* () {
      const holder = yield* one(findByEmail, { email });
      if (holder && holder.id !== id) return false;
      yield* run(setEmail, { id, email });
      return true;
    })
    .catch((error: unknown) => {
      // Another account took it between the two statements.
      if (isDuplicate(error)) return false;
      throw error;
    });
}

/** Uses the code up, and verifies the address it was sent to; null when it cannot be used. */
export function* verifyEmailByCode(digest: string, now: Instant): Work<Account | null> {
  const account = yield* accountByCode(digest, "verify_email", now);
  if (!account) return null;
  yield* run(setVerified, { id: account.id, verified: 1 });
  return { ...account, emailVerified: true };
}

/** Uses the code up, and changes the password; every session of the account ends. */
export function* resetPasswordByCode(digest: string, hash: string, now: Instant): Work<Account | null> {
  const account = yield* accountByCode(digest, "reset_password", now);
  if (!account) return null;
  yield* run(setHash, { id: account.id, hash });
  yield* endSessionsBut(account.id, null);
  return account;
}
