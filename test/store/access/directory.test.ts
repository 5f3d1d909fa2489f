import { jobRunner } from "../../../src/store/job/jobs.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { searchAccounts, selectAccountEntry } from "../../../src/store/access/directory.ts";
import { changeRole } from "../../../src/services/access/change-role.ts";
import { selectAccounts } from "../../../src/store/access/accounts.ts";
import { insertSession, selectPresentedSession } from "../../../src/store/access/sessions.ts";
import { selectInstallation } from "../../../src/store/job/installation.ts";
import { beforeAll, expect, it } from "vitest";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { day, newAccount, newDigest, newId, newServer, newToken, noon } from "../engine/rows.ts";

eachDatabase((databases) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  it("[OUR-ADM-02] accounts are found by a part of their address, without case or wildcards, newest first and page by page", async () => {
    const made = [];
    for (const [index, name] of ["ann_a", "annxa", "bob%"].entries())
      made.push(await newAccount(db, { email: `${name}@search.example`, createdAt: noon + index }));
    const found = async (text: string) =>
      (await db.read(searchAccounts, text, null, 10)).map(({ email }) => email.split("@")[0]);
    expect(await found("@SEARCH.example")).toEqual(["bob%", "annxa", "ann_a"]);
    expect(await found("n_a")).toEqual(["ann_a"]);
    expect(await found("%")).toEqual(["bob%"]);
    expect(await found("nobody")).toEqual([]);
    const [, middle] = made;
    const after = { at: noon + 1, id: middle?.id ?? "" };
    const rest = await db.read(searchAccounts, "@search.example", after, 10);
    expect(rest.map(({ id }) => id)).toEqual([made[0]?.id]);
  });

  it("[OUR-ADM-02] an account is told with its servers and active tokens", async () => {
    const account = await newAccount(db);
    await newServer(db, account);
    await newToken(db, account);
    await newToken(db, account, { expiresAt: noon });
    expect(await db.read(selectAccountEntry, account.id, noon)).toEqual({
      account,
      servers: 1,
      activeTokens: 1,
    });
    expect(await db.read(selectAccountEntry, newId(), noon)).toBeNull();
  });

  it("[OUR-ADM-03] the last admin stays one, also when two admins demote each other at once", async () => {
    const [one, two] = [await newAccount(db, { role: "admin" }), await newAccount(db, { role: "admin" })];
    const outcomes = await Promise.all([
      db.write(changeRole, one.id, "user", Date.now()),
      db.write(changeRole, two.id, "suspended", Date.now()),
    ]);
    expect(outcomes.toSorted()).toEqual(["changed", "last_admin"]);
    const admins = (await db.read(selectAccounts)).filter(({ role }) => role === "admin");
    expect(admins).toHaveLength(1);
    const [last] = admins;
    expect(await db.write(changeRole, last?.id ?? "", "user", Date.now())).toBe("last_admin");
    expect(await db.write(changeRole, last?.id ?? "", "admin", Date.now())).toBe("changed");
    expect(await db.write(changeRole, newId(), "user", Date.now())).toBe("unknown");
  });

  it("[OUR-ADM-04] a suspension signs the account's browsers out", async () => {
    const account = await newAccount(db);
    const digest = newDigest();
    const session = { id: newId(), accountId: account.id, userAgent: null };
    await db.write(
      insertSession,
      { ...session, createdAt: noon, lastUsedAt: noon, expiresAt: noon + day, provenAt: noon },
      digest,
    );
    await db.write(changeRole, account.id, "user", Date.now());
    expect(await db.read(selectPresentedSession, digest, noon)).not.toBeNull();
    await db.write(changeRole, account.id, "suspended", Date.now());
    expect(await db.read(selectPresentedSession, digest, noon)).toBeNull();
  });

  it("[OUR-ADM-09] the installation tells its database, its newest migration and its jobs", async () => {
    await jobRunner(db).runAlone({ name: "example", everyMs: 1000, run: async () => {} }, () => noon);
    const told = await db.read(selectInstallation, db.dialect);
    expect(told.schema).toMatch(/^\d+ \([\w-]+\)$/);
    expect(told.accounts).toBeGreaterThan(0);
    expect(told.jobs).toEqual([{ name: "example", startedAt: noon, finishedAt: noon }]);
  });
}, sharedKinds);
