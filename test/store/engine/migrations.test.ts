import { selectAccounts } from "../../../src/store/access/accounts.ts";
import { selectReport } from "../../../src/store/report/reports.ts";
import { selectServer, selectMonitoredServer } from "../../../src/store/server/servers.ts";
import { changeServer } from "../../../src/services/server/change-server.ts";
import { claimCredential } from "../../../src/services/server/claim-credential.ts";
import { selectGroups } from "../../../src/store/server/groups.ts";
import { changeGroup } from "../../../src/services/server/change-group.ts";
import { addGroup } from "../../../src/services/server/add-group.ts";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../../src/store/engine/open-database.ts";
import { migrations } from "../../../src/store/migrations/registry.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { countRows, installNext, installVersion, migrationsIn, shapeOf, tablesIn } from "./installed.ts";
import { openRaw, type RawDatabase } from "./raw-database.ts";
import { newAccount, newServer, noon, times, viewer } from "./rows.ts";
import { versions } from "./versions.ts";
import { workers } from "./workers.ts";

const expected = migrations.map(({ id, name }) => ({ id, name }));

it("[OUR-STO-33] every migration has rows that its upgrade is tested with, numbered without a gap", () => {
  expect(versions.map(({ id }) => id)).toEqual(migrations.map(({ id }) => id));
  expect(migrations.map(({ id }) => id)).toEqual(times(migrations.length).map((index) => index + 1));
});

eachDatabase((databases, kind) => {
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

  /** One database goes through all versions once. */
  const released = { url: "", version: 0, newShape: [] as unknown[] };

  const releasedAt = async (id: number): Promise<Record<string, number>> => {
    if (released.url === "") {
      released.url = await databases.emptyUrl();
      const fresh = await databases.emptyUrl();
      await databases.open(fresh);
      released.newShape = await inspected(fresh, shapeOf);
    }
    const counts = await inspected(released.url, async (db) => {
      for (; released.version < id; released.version += 1) await installNext(db, released.version + 1);
      return countRows(db, await tablesIn(db));
    });
    expect(Object.values(counts).every((count) => count > 0)).toBe(true);
    return counts;
  };

  it.each(versions)(
    "[OUR-STO-33] a database of version $id keeps its rows, and ends up like a new one",
    async ({ id }) => {
      const before = await releasedAt(id);
      // The upgrade of this database is undone: it goes on as the next version.
      const after = await inspected(released.url, async (db) => {
        await db.run("BEGIN");
        await db.upgrade();
        const found = await everythingOf(db);
        await db.run("ROLLBACK");
        return found;
      });
      expect(after.migrations).toEqual(expected);
      expect(after.shape).toEqual(released.newShape);
      // The note of the upgrade itself is a row more than the database had.
      const notes = id < versions.length ? 1 : 0;
      expect({ ...after.counts, service_log: (after.counts["service_log"] ?? 0) - notes }).toMatchObject(
        before,
      );
    },
  );

  // Copies of a PostgreSQL database take seconds; what is read is the same as of a file of each version.
  const opened = kind === "PostgreSQL" ? [1, versions.length - 1] : versions.map(({ id }) => id);
  it.each(opened)("[OUR-STO-33] a start with a database of version %i finds what was written", async (id) => {
    if (released.version >= id) released.version = 0;
    if (released.version === 0) released.url = await databases.emptyUrl();
    await releasedAt(id);
    const db = await openDatabase(await databases.copy(released.url), () => {}, { backup: false });
    expect(await db.read(selectAccounts)).toMatchObject([
      { id: "a1", role: "admin" },
      { id: "a2", plan: "free" },
    ]);
    expect(await db.read(selectMonitoredServer, "s1", "a1")).toMatchObject({
      groupId: "g1",
      sample: { tps: 20 },
      ownerSuspended: false,
      enabledRank: 1,
      enabledServers: 1,
    });
    expect(await db.read(selectReport, "short1", viewer(null), noon)).toMatchObject({
      id: "r1",
      holderId: "a1",
      description: "Fast",
    });
    await db.close();
  });

  it("[OUR-ADM-14] what brought a database up to date is written down once, and nothing of one that was made", async () => {
    const written = "SELECT kind, words, times, done_by FROM service_log";
    const url = await databases.emptyUrl();
    await databases.open(url);
    expect(await inspected(url, (db) => db.rows(written))).toEqual([]);
    const old = await databases.emptyUrl();
    await inspected(old, (db) => installVersion(db, 9));
    for (const _ of times(2)) await databases.open(old);
    const later = expected.filter(({ id }) => id > 9).map(({ id, name }) => `${id} (${name})`);
    expect(await inspected(old, (db) => db.rows(written))).toEqual([
      {
        kind: "schema_migrated",
        words: `The database was brought up to date: ${later.join(", ")}.`,
        times: 1,
        done_by: "service",
      },
    ]);
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
