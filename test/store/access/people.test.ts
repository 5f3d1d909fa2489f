import { pruneAll } from "../../../src/services/job/prune.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { selectAccounts, selectAccountByEmail } from "../../../src/store/access/accounts.ts";
import { hasAnyAccount, selectStoredPassword } from "../../../src/store/access/account-entry.ts";
import { changeAccountEmail } from "../../../src/services/access/change-account-email.ts";
import { verifyEmailByCode } from "../../../src/services/access/verify-email-by-code.ts";
import { resetPasswordByCode } from "../../../src/services/access/reset-password-by-code.ts";
import { replacePassword } from "../../../src/services/access/replace-password.ts";
import { addInvitedAccount } from "../../../src/services/access/add-invited-account.ts";
import { addFirstAccount } from "../../../src/services/access/add-first-account.ts";
import { selectOneTimeCode, selectInvitations } from "../../../src/store/access/one-time-codes.ts";
import { retractInvitation } from "../../../src/services/access/retract-invitation.ts";
import { addOneTimeCode } from "../../../src/services/access/add-one-time-code.ts";
import {
  insertSession,
  selectPresentedSession,
  selectSessions,
  deleteSession,
} from "../../../src/store/access/sessions.ts";
import { beforeAll, describe, expect, it } from "vitest";
import type { OneTimeCode } from "../../../src/core/access/one-time-code.ts";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import { eachDatabase, everyKind } from "../../support/databases.ts";
import { day, minute, newAccount, newDigest, newId, noon, times } from "../engine/rows.ts";

const freshAccount = (email: string) => ({
  id: newId(),
  email,
  emailVerified: false,
  plan: "free" as const,
  role: "user" as const,
  createdAt: noon,
});

eachDatabase((databases) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  const session = async (accountId: string, expiresAt = noon + day): Promise<string> => {
    const digest = newDigest();
    const times = { createdAt: noon, lastUsedAt: noon, expiresAt, provenAt: noon };
    const made = { id: newId(), accountId, ...times, userAgent: null };
    await db.write(insertSession, made, digest);
    return digest;
  };

  const code = async (
    accountId: string,
    purpose: OneTimeCode["purpose"],
    email: string | null,
  ): Promise<string> => {
    const digest = newDigest();
    const made = { id: newId(), purpose, accountId, email, createdAt: noon, expiresAt: noon + minute };
    await db.write(addOneTimeCode, made, digest);
    return digest;
  };

  it("[OUR-SES-03] of twenty set-ups of an empty service at once, one makes an account", async () => {
    const url = await databases.url();
    const one = await databases.open(url);
    const other = url === "sqlite::memory:" ? one : await databases.open(url);
    expect(await one.read(hasAnyAccount)).toBe(false);
    const made = await Promise.all(
      times(20).map((index) =>
        (index % 2 ? one : other).write(addFirstAccount, freshAccount(`first-${index}@example.org`), "hash"),
      ),
    );
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await one.read(selectAccounts)).toHaveLength(1);
    expect(await one.read(hasAnyAccount)).toBe(true);
  });

  describe("a code that works once", () => {
    it("[OUR-SES-11] is used by one of those who come at once", async () => {
      const account = await newAccount(db, { emailVerified: false });
      const digest = await code(account.id, "verify_email", account.email);
      const used = await Promise.all(times(10).map(() => db.write(verifyEmailByCode, digest, noon)));
      expect(used.filter((answer) => answer !== null)).toEqual([{ ...account, emailVerified: true }]);
      expect((await db.read(selectAccountByEmail, account.email))?.emailVerified).toBe(true);
      expect(await db.read(selectOneTimeCode, digest, "verify_email", noon)).toBeNull();
    });

    it("[OUR-SES-11] is for its purpose and its time alone, and gives its place to a newer one", async () => {
      const account = await newAccount(db, { emailVerified: false });
      const reset = await code(account.id, "reset_password", account.email);
      const older = await code(account.id, "verify_email", account.email);
      const newer = await code(account.id, "verify_email", account.email);
      expect(await db.write(verifyEmailByCode, reset, noon)).toBeNull();
      expect(await db.write(verifyEmailByCode, older, noon)).toBeNull();
      expect(await db.write(verifyEmailByCode, newer, noon + minute)).toBeNull();
      expect(await db.read(selectOneTimeCode, newer, "verify_email", noon)).toMatchObject({
        email: account.email,
      });
      expect(await db.write(verifyEmailByCode, newer, noon + minute - 1)).not.toBeNull();
      expect(await db.write(resetPasswordByCode, reset, "new", noon)).toMatchObject({ id: account.id });
      expect(await db.write(resetPasswordByCode, reset, "newer", noon)).toBeNull();
      expect((await db.read(selectStoredPassword, account.email))?.passwordHash).toBe("new");
    });

    it("[OUR-SES-11] does nothing once the account has another address", async () => {
      const account = await newAccount(db);
      const verify = await code(account.id, "verify_email", account.email);
      const reset = await code(account.id, "reset_password", account.email);
      expect(await changeAccountEmail(db, account.id, `moved-${account.email}`)).toBe(true);
      expect(await db.write(verifyEmailByCode, verify, noon)).toBeNull();
      expect(await db.write(resetPasswordByCode, reset, "stolen", noon)).toBeNull();
      expect(await db.read(selectStoredPassword, `moved-${account.email}`)).toEqual({
        account: { ...account, email: `moved-${account.email}`, emailVerified: false },
        passwordHash: null,
        deviceGeneration: 0,
      });
    });
  });

  it("[OUR-SES-10] an invitation makes one account, and is not used up by an address that is taken", async () => {
    const admin = await newAccount(db, { role: "admin" });
    const digest = await code(admin.id, "invitation", null);
    const second = await code(admin.id, "invitation", "friend@example.org");
    const listed = await db.read(selectInvitations, noon);
    expect(listed.map(({ email }) => email)).toEqual(["friend@example.org", null]);
    const taken = freshAccount(admin.email);
    expect(await db.write(addInvitedAccount, taken, "hash", digest)).toBe("taken");
    const made = await Promise.all(
      times(8).map((index) =>
        db.write(addInvitedAccount, freshAccount(`invited-${index}-${admin.id}@example.org`), "h", digest),
      ),
    );
    expect(made.toSorted()).toEqual(["created", ...times(7).map(() => "unknown_code")]);
    const [left] = await db.read(selectInvitations, noon);
    expect(await db.write(retractInvitation, left?.id ?? "", noon)).toBe(true);
    expect(await db.write(retractInvitation, left?.id ?? "", noon)).toBe(false);
    expect(await db.read(selectOneTimeCode, second, "invitation", noon)).toBeNull();
    expect(await db.read(selectInvitations, noon)).toEqual([]);
  });

  it("[OUR-SES-15] of accounts that take one address at once, one gets it", async () => {
    const accounts = await Promise.all(times(8).map(() => newAccount(db)));
    const wanted = `wanted-${accounts[0]?.id}@example.org`;
    const got = await Promise.all(accounts.map(({ id }) => changeAccountEmail(db, id, wanted)));
    expect(got.filter(Boolean)).toHaveLength(1);
    expect(await db.read(selectAccountByEmail, wanted)).toMatchObject({ emailVerified: false });
  });

  it("[OUR-SES-14] a new password ends every other session of the account, and the links that would reset it", async () => {
    const [account, other] = [await newAccount(db), await newAccount(db)];
    const [kept, ended, foreign] = [
      await session(account.id),
      await session(account.id),
      await session(other.id),
    ];
    const reset = await code(account.id, "reset_password", account.email);
    const keptId = (await db.read(selectPresentedSession, kept, noon))?.session.id ?? "";
    await db.write(replacePassword, account.id, "hash", keptId);
    expect(await db.read(selectPresentedSession, kept, noon)).not.toBeNull();
    expect(await db.read(selectPresentedSession, ended, noon)).toBeNull();
    expect(await db.read(selectPresentedSession, foreign, noon)).not.toBeNull();
    expect(await db.write(resetPasswordByCode, reset, "again", noon)).toBeNull();
    await db.write(replacePassword, account.id, "hash", null);
    expect(await db.read(selectPresentedSession, kept, noon)).toBeNull();
  });

  it("[OUR-SES-08] a session is ended by its own account, and those that are over are not listed", async () => {
    const [account, other] = [await newAccount(db), await newAccount(db)];
    const digest = await session(account.id);
    await session(account.id, noon);
    const [listed, ...more] = await db.read(selectSessions, account.id, noon);
    expect(more).toEqual([]);
    expect(await db.write(deleteSession, listed?.id ?? "", other.id)).toBe(false);
    expect(await db.write(deleteSession, listed?.id ?? "", account.id)).toBe(true);
    expect(await db.read(selectPresentedSession, digest, noon)).toBeNull();
  });

  it("[OUR-SES-11] what is over for a day is deleted, sessions and codes", async () => {
    const account = await newAccount(db);
    const over = await session(account.id, noon + minute);
    const alive = await session(account.id, noon + 10 * day);
    const digest = await code(account.id, "verify_email", account.email);
    for await (const _ of pruneAll(db, noon + 2 * minute + day, defaultPlans));
    expect(await db.read(selectPresentedSession, over, noon)).toBeNull();
    expect(await db.read(selectPresentedSession, alive, noon)).not.toBeNull();
    expect(await db.read(selectOneTimeCode, digest, "verify_email", noon)).toBeNull();
  });
}, everyKind);
