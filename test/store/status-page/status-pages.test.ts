import { beforeAll, expect, it } from "vitest";
import { addStatusPage } from "../../../src/services/status-page/add-status-page.ts";
import {
  changeStatusPage,
  readdressStatusPage,
  removeStatusPage,
} from "../../../src/services/status-page/change-status-page.ts";
import { unlinkServerOfAccount } from "../../../src/services/server/unlink-from-account.ts";
import { eraseAccount } from "../../../src/services/access/erase-account.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import {
  selectStatusAddress,
  selectStatusPage,
  selectStatusPages,
} from "../../../src/store/status-page/status-pages.ts";
import { eachDatabase } from "../../support/databases.ts";
import { newAccount, newId, newServer, noon } from "../engine/rows.ts";

eachDatabase((databases) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  let serial = 0;

  /** A page of an account with two servers. */
  const page = async () => {
    const account = await newAccount(db);
    const servers = [await newServer(db, account), await newServer(db, account)];
    const made = {
      id: newId(),
      accountId: account.id,
      address: `address-${(serial += 1)}`,
      title: "Title",
      showsPlayers: true,
      servers: servers.map(({ server }, index) => ({ server_id: server.id, name: `Server ${index}` })),
      createdAt: noon,
      updatedAt: noon,
    };
    expect(await db.write(addStatusPage, made)).toBe("added");
    const act = { id: made.id, accountId: account.id, now: noon };
    return { account, made, act, find: () => db.read(selectStatusPage, made.id) };
  };

  it("[OUR-STP-01] keeps what the owner chose, in its order, and every change is a later version", async () => {
    const { account, made, act, find } = await page();
    expect(await find()).toEqual(made);
    expect(await db.read(selectStatusPages, account.id)).toEqual([made]);
    const choice = { title: "Other", showsPlayers: false, servers: made.servers.toReversed() };
    await db.write(changeStatusPage, act, choice);
    expect(await find()).toEqual({ ...made, ...choice, updatedAt: noon + 1 });
    expect(await db.read(selectStatusAddress, made.address)).toEqual({ id: made.id, updatedAt: noon + 1 });
  });

  it("[OUR-STP-02] an address belongs to one page; a refused move changes nothing", async () => {
    const [one, other] = [await page(), await page()];
    expect(await db.write(addStatusPage, { ...one.made, id: newId() })).toBe("taken");
    expect(await db.write(readdressStatusPage, one.act, other.made.address)).toBe(false);
    expect(await one.find()).toEqual(one.made);
    expect(await db.write(readdressStatusPage, one.act, `${one.made.address}-new`)).toBe(true);
    expect(await db.read(selectStatusAddress, one.made.address)).toBeNull();
    expect(await one.find()).toMatchObject({ servers: one.made.servers, updatedAt: noon + 1 });
    const moves = ["wanted", "wanted"].map((address, index) =>
      db.write(readdressStatusPage, [one, other][index]?.act ?? one.act, address),
    );
    expect((await Promise.all(moves)).toSorted()).toEqual([false, true]);
  });

  it("[OUR-STP-04] an unlinked server leaves every page, which has a new version; pages go with their account", async () => {
    const { account, made, act, find } = await page();
    const [gone, stays] = made.servers;
    await db.write(unlinkServerOfAccount, gone?.server_id ?? "", account.id, noon - 5);
    expect(await find()).toMatchObject({ servers: [stays], updatedAt: noon + 1 });
    await db.write(unlinkServerOfAccount, stays?.server_id ?? "", account.id, noon + 9);
    expect(await find()).toMatchObject({ servers: [], updatedAt: noon + 9 });
    await db.write(removeStatusPage, act);
    expect(await find()).toBeNull();
    const other = await page();
    await db.write(eraseAccount, other.account.id, noon);
    expect(await other.find()).toBeNull();
  });
});
