import type { Database } from "../../../src/store/engine/database.ts";
import { changeRole } from "../../../src/services/access/change-role.ts";
import { changePlan } from "../../../src/services/access/change-plan.ts";
import {
  selectPresentedToken,
  updateTokenRevoked,
  updateTokenUsed,
} from "../../../src/store/access/tokens.ts";
import { addToken } from "../../../src/services/access/add-token.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { eachDatabase } from "../../support/databases.ts";
import { day, minute, newAccount, newDigest, newToken, noon, times, tokenOf } from "../engine/rows.ts";

eachDatabase((databases) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  const rankOf = async (digest: string, now = noon): Promise<number | undefined> =>
    (await db.read(selectPresentedToken, digest, now))?.newerActive;

  describe("the limit", () => {
    it("[ACC-22] [ACC-23] holds at creation when twenty tokens are made at once", async () => {
      const account = await newAccount(db);
      const made = await Promise.all(
        times(20).map(() => db.write(addToken, tokenOf(account), newDigest(), 5)),
      );
      expect(made.filter(Boolean)).toHaveLength(5);
    });

    it("[ACC-22] leaves out tokens that are revoked or expired, and those of other accounts", async () => {
      const account = await newAccount(db);
      const other = await newAccount(db);
      const { token } = await newToken(db, account);
      await newToken(db, account, { expiresAt: noon + minute });
      await newToken(db, other);
      const create = (createdAt: number) =>
        db.write(addToken, tokenOf(account, { createdAt }), newDigest(), 2);
      expect(await create(noon + minute - 1)).toBe(false);
      expect(await create(noon + minute)).toBe(true);
      expect(await create(noon + minute)).toBe(false);
      await db.write(updateTokenRevoked, token.id, noon + minute);
      expect(await create(noon + minute)).toBe(true);
    });

    it("[ACC-23] of zero makes none, and none is told as such", async () => {
      const account = await newAccount(db);
      expect(await db.write(addToken, tokenOf(account), newDigest(), 0)).toBe(false);
    });
  });

  describe("the rank of a token", () => {
    it("[ACC-24] is the number of newer active tokens of its account", async () => {
      const account = await newAccount(db);
      const oldest = await newToken(db, account, { createdAt: noon });
      const middle = await newToken(db, account, { createdAt: noon + 1 });
      const newest = await newToken(db, account, { createdAt: noon + 2 });
      await newToken(db, await newAccount(db), { createdAt: noon + 3 });
      expect(await rankOf(oldest.digest)).toBe(2);
      expect(await rankOf(middle.digest)).toBe(1);
      expect(await rankOf(newest.digest)).toBe(0);
    });

    it("[ACC-24] does not count newer tokens that are revoked or expired", async () => {
      const account = await newAccount(db);
      const { digest } = await newToken(db, account);
      const revoked = await newToken(db, account, { createdAt: noon + 1 });
      await newToken(db, account, { createdAt: noon + 2, expiresAt: noon + day });
      expect(await rankOf(digest)).toBe(2);
      await db.write(updateTokenRevoked, revoked.token.id, noon + 3);
      expect(await rankOf(digest)).toBe(1);
      expect(await rankOf(digest, noon + day - 1)).toBe(1);
      expect(await rankOf(digest, noon + day)).toBe(0);
    });

    it("[ACC-24] of tokens made in one instant goes by id, so that exactly one of them is the newest", async () => {
      const account = await newAccount(db);
      const made = [];
      for (const _ of times(4)) made.push(await newToken(db, account));
      const ranks = await Promise.all(made.map(({ digest }) => rankOf(digest)));
      expect(ranks).toEqual([3, 2, 1, 0]);
    });
  });

  it("[ACC-09] [ACC-10] a token is presented with its owner's plan and role of this moment", async () => {
    const account = await newAccount(db, { plan: "enterprise" });
    const { token, digest } = await newToken(db, account, { scopes: ["servers:link", "reports:read"] });
    const before = await db.read(selectPresentedToken, digest, noon);
    expect(before?.account).toEqual(account);
    expect(before?.token).toEqual({ ...token, scopes: ["reports:read", "servers:link"] });
    await db.write(changePlan, account.id, "free", 0);
    await db.write(changeRole, account.id, "suspended", Date.now());
    expect((await db.read(selectPresentedToken, digest, noon))?.account).toMatchObject({
      plan: "free",
      role: "suspended",
    });
  });

  it("[ACC-05] a token is found by its fingerprint alone, and two tokens never share one", async () => {
    const account = await newAccount(db);
    const { token, digest } = await newToken(db, account);
    expect(await db.read(selectPresentedToken, token.id, noon)).toBeNull();
    expect(await db.read(selectPresentedToken, newDigest(), noon)).toBeNull();
    await expect(db.write(addToken, tokenOf(account), digest, 9)).rejects.toThrow(/unique/i);
  });

  it("[ERR-10] a revocation keeps its first instant, and an expired token is still told as such", async () => {
    const account = await newAccount(db);
    const { token, digest } = await newToken(db, account, { kind: "connector", expiresAt: noon + 1 });
    await db.write(updateTokenRevoked, token.id, noon + 5);
    await db.write(updateTokenRevoked, token.id, noon + 9);
    await db.writeRelaxed(updateTokenUsed, token.id, noon + 7);
    const found = await db.read(selectPresentedToken, digest, noon + day);
    expect(found?.token).toEqual({ ...token, revokedAt: noon + 5, lastUsedAt: noon + 7 });
  });
});
