import { selectServer } from "../../../src/store/server/servers.ts";
import { changeServer } from "../../../src/services/server/change-server.ts";
import { claimCredential } from "../../../src/services/server/claim-credential.ts";
import { selectGroups } from "../../../src/store/server/groups.ts";
import { changeGroup } from "../../../src/services/server/change-group.ts";
import { addGroup } from "../../../src/services/server/add-group.ts";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../../src/store/engine/open-database.ts";
import { migrations } from "../../../src/store/migrations/registry.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { countRows, migrationsIn, shapeOf, tablesIn } from "./installed.ts";
import { openRaw, type RawDatabase } from "./raw-database.ts";
import { newAccount, newServer, noon, times, viewer } from "./rows.ts";
import { versions } from "./versions.ts";
import { workers } from "./workers.ts";

const expected = migrations.map(({ id, name }) => ({ id, name }));

it("[OUR-STO-33] every migration has rows that its upgrade is tested with, numbered without a gap", () => {
  expect(versions.map(({ id }) => id)).toEqual(migrations.map(({ id }) => id));
  expect(migrations.map(({ id }) => id)).toEqual(times(migrations.length).map((index) => index + 1));
});

eachDatabase((databases) => {
  const start = workers("open");

  const inspected = async <T>(url: string, look: (db: RawDatabase) => Promise<T>): Promise<T> => {
    const db = await openRaw(url);
    try {
      return await look(db);
    } finally {
      await db.close();
    }
  };

  const everythingOf = async (db: RawDatabase) => ({
    shape: await shapeOf(db),
    migrations: await migrationsIn(db),
    counts: await countRows(db, await tablesIn(db)),
  });

  it("[OUR-STO-33] an empty database is brought up to date, and opening it again changes nothing", async () => {
    const url = await databases.emptyUrl();
    const db = await databases.open(url);
    const account = await newAccount(db);
    const { server } = await newServer(db, account);
    const before = await inspected(url, everythingOf);
    expect(before.migrations).toEqual(expected);
    const again = await databases.open(url);
    expect(await again.read(selectServer, server.id, viewer(account))).toEqual(server);
    expect(await inspected(url, everythingOf)).toEqual(before);
  });

  it("[OUR-STO-33] a database from before the first release is refused with the way to bring it along, and left alone", async () => {
    const url = await databases.emptyUrl();
    await inspected(url, async (db) => {
      await db.run("CREATE TABLE schema_migration (id INTEGER PRIMARY KEY, name TEXT NOT NULL)");
      await db.run("INSERT INTO schema_migration VALUES (1, 'spine'), (2, 'monitoring')");
    });
    const found = () => inspected(url, async (db) => [await shapeOf(db), await migrationsIn(db)]);
    const before = await found();
    await expect(openDatabase(url, () => {})).rejects.toThrow(
      "A version of Tickmark before 0.1.0 wrote this database (migration 2 of its own count). Run tickmark export FILE with that version, set TICKMARK_DATABASE_URL to a new database, and run tickmark import FILE with this version.",
    );
    expect(await found()).toEqual(before);
  });

  describe("processes that start at once", () => {
    it("[OUR-STO-34] on one empty database apply each migration once, and none of them fails", async () => {
      const url = await databases.emptyUrl();
      const starters = await Promise.all(times(4).map(() => start(url)));
      for (const starter of starters) starter.begin();
      const results = await Promise.all(starters.map((starter) => starter.result()));
      expect(results).toEqual([null, null, null, null]);
      expect(await inspected(url, migrationsIn)).toEqual(expected);
    });
  });

  it("[OUR-STO-35] a process goes on when a newer one adds columns to the tables it uses", async () => {
    const url = await databases.emptyUrl();
    const db = await databases.open(url);
    const work = async () => {
      const account = await newAccount(db);
      const { server, code } = await newServer(db, account);
      const group = {
        id: `g-${account.id}`,
        accountId: account.id,
        name: "Hub",
        color: null,
        now: noon,
        limit: 20,
      };
      const replay = { accountId: account.id, route: "groups", key: null, bodyDigest: "b", now: noon };
      expect(await db.write(addGroup, group, replay)).toMatchObject({
        value: { serverCount: 0, name: "Hub" },
      });
      await db.write(changeGroup, group.id, { name: "Lobby" }, noon);
      await db.write(changeServer, server.id, { groupId: group.id });
      expect(await db.read(selectGroups, account.id)).toMatchObject([{ serverCount: 1, name: "Lobby" }]);
      expect(await claimCredential(db, code.claimDigest, `d-${account.id}`, noon)).toMatchObject({
        kind: "linked",
      });
    };
    // Often enough that every connection of a pool has prepared every statement.
    await Promise.all(times(12).map(() => work()));
    await inspected(url, async (db) => {
      for (const table of await tablesIn(db))
        await db.run(`ALTER TABLE ${table} ADD COLUMN later TEXT DEFAULT 'new'`);
    });
    await Promise.all(times(12).map(() => work()));
  });
}, sharedKinds);
