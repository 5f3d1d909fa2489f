import { beforeAll, describe, expect, it } from "vitest";
import type { OneTimeCode } from "../../../src/core/access/one-time-code.ts";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import { storesOn } from "../../../src/services/stores.ts";
import { eachDatabase, everyKind } from "../../support/databases.ts";
import { day, minute, newAccount, newDigest, newId, noon, times, type Stores } from "../engine/rows.ts";

const freshAccount = (email: string) => ({
  id: newId(),
  email,
  emailVerified: false,
  plan: "free" as const,
  role: "user" as const,
  createdAt: noon,
});

eachDatabase((databases) => {
  let stores: Stores;
  beforeAll(async () => {
    stores = storesOn(await databases.open());
  });

  const session = async (accountId: string, expiresAt = noon + day): Promise<string> => {
    const digest = newDigest();
    const made = { id: newId(), accountId, createdAt: noon, lastUsedAt: noon, expiresAt, userAgent: null };
    await stores.sessions.create(made, digest);
    return digest;
  };

  const code = async (
    accountId: string,
    purpose: OneTimeCode["purpose"],
    email: string | null,
  ): Promise<string> => {
    const digest = newDigest();
    const made = { id: newId(), purpose, accountId, email, createdAt: noon, expiresAt: noon + minute };
    await stores.codes.create(made, digest);
    return digest;
  };

  it("[OUR-SES-03] of twenty set-ups of an empty service at once, one makes an account", async () => {
    const url = await databases.url();
    const one = storesOn(await databases.open(url));
    const other = url === "sqlite::memory:" ? one : storesOn(await databases.open(url));
    expect(await one.accounts.any()).toBe(false);
    const made = await Promise.all(
      times(20).map((index) =>
        (index % 2 ? one : other).accounts.createFirst(freshAccount(`first-${index}@example.org`), "hash"),
      ),
    );
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await one.accounts.list()).toHaveLength(1);
    expect(await one.accounts.any()).toBe(true);
  });

  describe("a code that works once", () => {
    it("[OUR-SES-11] is used by one of those who come at once", async () => {
      const account = await newAccount(stores, { emailVerified: false });
      const digest = await code(account.id, "verify_email", account.email);
      const used = await Promise.all(times(10).map(() => stores.accounts.verifyEmailBy(digest, noon)));
      expect(used.filter((answer) => answer !== null)).toEqual([{ ...account, emailVerified: true }]);
      expect((await stores.accounts.findByEmail(account.email))?.emailVerified).toBe(true);
      expect(await stores.codes.find(digest, "verify_email", noon)).toBeNull();
    });

    it("[OUR-SES-11] is for its purpose and its time alone, and gives its place to a newer one", async () => {
      const account = await newAccount(stores, { emailVerified: false });
      const reset = await code(account.id, "reset_password", account.email);
      const older = await code(account.id, "verify_email", account.email);
      const newer = await code(account.id, "verify_email", account.email);
      expect(await stores.accounts.verifyEmailBy(reset, noon)).toBeNull();
      expect(await stores.accounts.verifyEmailBy(older, noon)).toBeNull();
      expect(await stores.accounts.verifyEmailBy(newer, noon + minute)).toBeNull();
      expect(await stores.codes.find(newer, "verify_email", noon)).toMatchObject({ email: account.email });
      expect(await stores.accounts.verifyEmailBy(newer, noon + minute - 1)).not.toBeNull();
      expect(await stores.accounts.resetPasswordBy(reset, "new", noon)).toMatchObject({ id: account.id });
      expect(await stores.accounts.resetPasswordBy(reset, "newer", noon)).toBeNull();
      expect((await stores.accounts.credentials(account.email))?.passwordHash).toBe("new");
    });

    it("[OUR-SES-11] does nothing once the account has another address", async () => {
      const account = await newAccount(stores);
      const verify = await code(account.id, "verify_email", account.email);
      const reset = await code(account.id, "reset_password", account.email);
      expect(await stores.accounts.setEmail(account.id, `moved-${account.email}`)).toBe(true);
      expect(await stores.accounts.verifyEmailBy(verify, noon)).toBeNull();
      expect(await stores.accounts.resetPasswordBy(reset, "stolen", noon)).toBeNull();
      expect(await stores.accounts.credentials(`moved-${account.email}`)).toEqual({
        account: { ...account, email: `moved-${account.email}`, emailVerified: false },
        passwordHash: null,
        deviceGeneration: 0,
      });
    });
  });

  it("[OUR-SES-10] an invitation makes one account, and is not used up by an address that is taken", async () => {
    const admin = await newAccount(stores, { role: "admin" });
    const digest = await code(admin.id, "invitation", null);
    const second = await code(admin.id, "invitation", "friend@example.org");
    const listed = await stores.codes.invitations(noon);
    expect(listed.map(({ email }) => email)).toEqual(["friend@example.org", null]);
    const taken = freshAccount(admin.email);
    expect(await stores.accounts.createInvited(taken, "hash", digest)).toBe("taken");
    const made = await Promise.all(
      times(8).map((index) =>
        stores.accounts.createInvited(freshAccount(`invited-${index}-${admin.id}@example.org`), "h", digest),
      ),
    );
    expect(made.toSorted()).toEqual(["created", ...times(7).map(() => "unknown_code")]);
    const [left] = await stores.codes.invitations(noon);
    expect(await stores.codes.withdraw(left?.id ?? "", noon)).toBe(true);
    expect(await stores.codes.withdraw(left?.id ?? "", noon)).toBe(false);
    expect(await stores.codes.find(second, "invitation", noon)).toBeNull();
    expect(await stores.codes.invitations(noon)).toEqual([]);
  });

  it("[OUR-SES-15] of accounts that take one address at once, one gets it", async () => {
    const accounts = await Promise.all(times(8).map(() => newAccount(stores)));
    const wanted = `wanted-${accounts[0]?.id}@example.org`;
    const got = await Promise.all(accounts.map(({ id }) => stores.accounts.setEmail(id, wanted)));
    expect(got.filter(Boolean)).toHaveLength(1);
    expect(await stores.accounts.findByEmail(wanted)).toMatchObject({ emailVerified: false });
  });

  it("[OUR-SES-14] a new password ends every other session of the account, and the links that would reset it", async () => {
    const [account, other] = [await newAccount(stores), await newAccount(stores)];
    const [kept, ended, foreign] = [
      await session(account.id),
      await session(account.id),
      await session(other.id),
    ];
    const reset = await code(account.id, "reset_password", account.email);
    const keptId = (await stores.sessions.present(kept, noon))?.session.id ?? "";
    await stores.accounts.changePassword(account.id, "hash", keptId);
    expect(await stores.sessions.present(kept, noon)).not.toBeNull();
    expect(await stores.sessions.present(ended, noon)).toBeNull();
    expect(await stores.sessions.present(foreign, noon)).not.toBeNull();
    expect(await stores.accounts.resetPasswordBy(reset, "again", noon)).toBeNull();
    await stores.accounts.changePassword(account.id, "hash", null);
    expect(await stores.sessions.present(kept, noon)).toBeNull();
  });

  it("[OUR-SES-08] a session is ended by its own account, and those that are over are not listed", async () => {
    const [account, other] = [await newAccount(stores), await newAccount(stores)];
    const digest = await session(account.id);
    await session(account.id, noon);
    const [listed, ...more] = await stores.sessions.list(account.id, noon);
    expect(more).toEqual([]);
    expect(await stores.sessions.end(listed?.id ?? "", other.id)).toBe(false);
    expect(await stores.sessions.end(listed?.id ?? "", account.id)).toBe(true);
    expect(await stores.sessions.present(digest, noon)).toBeNull();
  });

  it("[OUR-SES-11] what is over for a day is deleted, sessions and codes", async () => {
    const account = await newAccount(stores);
    const over = await session(account.id, noon + minute);
    const alive = await session(account.id, noon + 10 * day);
    const digest = await code(account.id, "verify_email", account.email);
    for await (const _ of stores.prune.prune(noon + 2 * minute + day, defaultPlans));
    expect(await stores.sessions.present(over, noon)).toBeNull();
    expect(await stores.sessions.present(alive, noon)).not.toBeNull();
    expect(await stores.codes.find(digest, "verify_email", noon)).toBeNull();
  });
}, everyKind);
