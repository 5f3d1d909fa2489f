import { beforeAll, expect, it } from "vitest";
import { storesOn } from "../../../src/services/stores.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { day, newAccount, newDigest, newId, newServer, newToken, noon, type Stores } from "../engine/rows.ts";

eachDatabase((databases) => {
  let stores: Stores;
  beforeAll(async () => {
    stores = storesOn(await databases.open());
  });

  it("[OUR-ADM-02] accounts are found by a part of their address, without case or wildcards, newest first and page by page", async () => {
    const made = [];
    for (const [index, name] of ["ann_a", "annxa", "bob%"].entries())
      made.push(await newAccount(stores, { email: `${name}@search.example`, createdAt: noon + index }));
    const found = async (text: string) =>
      (await stores.directory.search(text, null, 10)).map(({ email }) => email.split("@")[0]);
    expect(await found("@SEARCH.example")).toEqual(["bob%", "annxa", "ann_a"]);
    expect(await found("n_a")).toEqual(["ann_a"]);
    expect(await found("%")).toEqual(["bob%"]);
    expect(await found("nobody")).toEqual([]);
    const [, middle] = made;
    const after = { at: noon + 1, id: middle?.id ?? "" };
    const rest = await stores.directory.search("@search.example", after, 10);
    expect(rest.map(({ id }) => id)).toEqual([made[0]?.id]);
  });

  it("[OUR-ADM-02] an account is told with its servers and active tokens", async () => {
    const account = await newAccount(stores);
    await newServer(stores, account);
    await newToken(stores, account);
    await newToken(stores, account, { expiresAt: noon });
    expect(await stores.directory.find(account.id, noon)).toEqual({ account, servers: 1, activeTokens: 1 });
    expect(await stores.directory.find(newId(), noon)).toBeNull();
  });

  it("[OUR-ADM-03] the last admin stays one, also when two admins demote each other at once", async () => {
    const [one, two] = [
      await newAccount(stores, { role: "admin" }),
      await newAccount(stores, { role: "admin" }),
    ];
    const outcomes = await Promise.all([
      stores.directory.changeRole(one.id, "user"),
      stores.directory.changeRole(two.id, "suspended"),
    ]);
    expect(outcomes.toSorted()).toEqual(["changed", "last_admin"]);
    const admins = (await stores.accounts.list()).filter(({ role }) => role === "admin");
    expect(admins).toHaveLength(1);
    const [last] = admins;
    expect(await stores.directory.changeRole(last?.id ?? "", "user")).toBe("last_admin");
    expect(await stores.directory.changeRole(last?.id ?? "", "admin")).toBe("changed");
    expect(await stores.directory.changeRole(newId(), "user")).toBe("unknown");
  });

  it("[OUR-ADM-04] a suspension signs the account's browsers out", async () => {
    const account = await newAccount(stores);
    const digest = newDigest();
    const session = { id: newId(), accountId: account.id, userAgent: null };
    await stores.sessions.create(
      { ...session, createdAt: noon, lastUsedAt: noon, expiresAt: noon + day },
      digest,
    );
    await stores.directory.changeRole(account.id, "user");
    expect(await stores.sessions.present(digest, noon)).not.toBeNull();
    await stores.directory.changeRole(account.id, "suspended");
    expect(await stores.sessions.present(digest, noon)).toBeNull();
  });

  it("[OUR-ADM-09] the installation tells its database, its newest migration and its jobs", async () => {
    await stores.jobs.runAlone({ name: "example", everyMs: 1000, run: async () => {} }, () => noon);
    const told = await stores.installation.describe();
    expect(told.schema).toMatch(/^\d+ \([\w-]+\)$/);
    expect(told.accounts).toBeGreaterThan(0);
    expect(told.jobs).toEqual([{ name: "example", startedAt: noon, finishedAt: noon }]);
  });
}, sharedKinds);
