import { selectAccounts } from "../../../src/store/access/accounts.ts";
import { selectReport } from "../../../src/store/report/reports.ts";
import { selectServer, selectMonitoredServer } from "../../../src/store/server/servers.ts";
import { changeServer } from "../../../src/services/server/change-server.ts";
import { claimCredential } from "../../../src/services/server/claim-credential.ts";
import { selectGroups } from "../../../src/store/server/groups.ts";
import { changeGroup } from "../../../src/services/server/change-group.ts";
import { addGroup } from "../../../src/services/server/add-group.ts";
import { describe, expect, it } from "vitest";
import { inDialect } from "../../../src/store/migrations/migration.ts";
import { migrations } from "../../../src/store/migrations/registry.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { openRaw, type RawDatabase } from "./raw-database.ts";
import { newAccount, newServer, noon, times, viewer } from "./rows.ts";
import { versions } from "./versions.ts";
import { workers } from "./workers.ts";

const noted = "SELECT id, name FROM schema_migration ORDER BY id";
const expected = migrations.map(({ id, name }) => ({ id, name }));

/** Every column of every table and every index, by name. */
const shape: Record<RawDatabase["dialect"], string> = {
  sqlite: `SELECT m.name AS owner, p.name, p.type, p."notnull" AS required FROM sqlite_schema m JOIN pragma_table_info(m.name) p
    WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' UNION ALL
    SELECT tbl_name, name, sql, 0 FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1, 2`,
  postgres: `SELECT table_name AS owner, column_name AS name, data_type AS type, is_nullable AS required
    FROM information_schema.columns WHERE table_schema = 'public' UNION ALL
    SELECT tablename, indexname, indexdef, '' FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1, 2`,
};

async function tables(db: RawDatabase): Promise<string[]> {
  const owners = (await db.rows(shape[db.dialect])).map(({ owner }) => String(owner));
  return [...new Set(owners)].filter((name) => name !== "schema_migration");
}

async function counts(db: RawDatabase): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const table of await tables(db)) {
    const [row] = await db.rows(`SELECT count(*) AS n FROM ${table}`);
    counted[table] = Number(row?.["n"]);
  }
  return counted;
}

/** Brings an empty database to a version as its release did, with the rows it may have had. */
async function installVersion(db: RawDatabase, version: number): Promise<void> {
  await db.run("CREATE TABLE schema_migration (id INTEGER PRIMARY KEY, name TEXT NOT NULL)");
  for (const { id, name, statements } of migrations.filter((migration) => migration.id <= version)) {
    for (const statement of statements) await db.run(inDialect(statement, db.dialect));
    await db.run(`INSERT INTO schema_migration VALUES (${id}, '${name}')`);
    for (const rows of versions.find((known) => known.id === id)?.rows ?? [])
      await db.run(inDialect(rows, db.dialect));
  }
}

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

  it("[OUR-STO-33] an empty database is brought up to date, and opening it again changes nothing", async () => {
    const url = await databases.url();
    const db = await databases.open(url);
    const account = await newAccount(db);
    const { server } = await newServer(db, account);
    const before = await inspected(url, async (db) => [
      await db.rows(shape[db.dialect]),
      await db.rows(noted),
      await counts(db),
    ]);
    expect(before[1]).toEqual(expected);
    const again = await databases.open(url);
    expect(await again.read(selectServer, server.id, viewer(account))).toEqual(server);
    expect(
      await inspected(url, async (db) => [
        await db.rows(shape[db.dialect]),
        await db.rows(noted),
        await counts(db),
      ]),
    ).toEqual(before);
  });

  let newShape: Record<string, unknown>[] | null = null;
  const shapeOfNew = async () => {
    const fresh = await databases.url();
    await databases.open(fresh);
    return inspected(fresh, (db) => db.rows(shape[db.dialect]));
  };

  it.each(versions)(
    "[OUR-STO-33] a database of version $id keeps its rows, and ends up like a new one",
    async ({ id }) => {
      const url = await databases.url();
      const before = await inspected(url, async (db) => {
        await installVersion(db, id);
        return counts(db);
      });
      expect(Object.values(before).every((count) => count > 0)).toBe(true);
      const db = await databases.open(url);
      expect(await db.read(selectAccounts)).toMatchObject([
        { id: "a1", role: "admin" },
        { id: "a2", plan: "free" },
      ]);
      expect(await db.read(selectMonitoredServer, "s1", "a1")).toMatchObject({
        groupId: "g1",
        sample: { tps: 20 },
        enabledRank: 1,
        enabledServers: 1,
      });
      expect(await db.read(selectReport, "short1", viewer(null), noon)).toMatchObject({
        id: "r1",
        holderId: "a1",
        description: "Fast",
      });
      newShape ??= await shapeOfNew();
      await inspected(url, async (db) => {
        expect(await db.rows(noted)).toEqual(expected);
        expect(await db.rows(shape[db.dialect])).toEqual(newShape);
        // The note of the upgrade itself is a row more than the database had.
        await db.run("DELETE FROM service_log WHERE kind = 'schema_migrated'");
        expect(await counts(db)).toMatchObject(before);
      });
    },
  );

  it("[OUR-ADM-14] what brought a database up to date is written down once, and nothing of one that was made", async () => {
    const written = "SELECT kind, words, times, done_by FROM service_log";
    const url = await databases.url();
    await databases.open(url);
    expect(await inspected(url, (db) => db.rows(written))).toEqual([]);
    const old = await databases.url();
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
      for (const _ of times(2)) {
        const url = await databases.url();
        const starters = await Promise.all(times(4).map(() => start(url)));
        for (const starter of starters) starter.begin();
        expect(await Promise.all(starters.map((starter) => starter.result()))).toEqual([
          null,
          null,
          null,
          null,
        ]);
        expect(await inspected(url, (db) => db.rows(noted))).toEqual(expected);
      }
    });
  });

  it("[OUR-STO-35] a process goes on when a newer one adds columns to the tables it uses", async () => {
    const url = await databases.url();
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
      for (const table of await tables(db))
        await db.run(`ALTER TABLE ${table} ADD COLUMN later TEXT DEFAULT 'new'`);
    });
    await Promise.all(times(12).map(() => work()));
  });
}, sharedKinds);
