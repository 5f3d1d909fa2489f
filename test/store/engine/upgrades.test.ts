import { withNextMigration } from "../../support/next-migration.ts";
import { expect, it } from "vitest";
import { selectAccounts } from "../../../src/store/access/accounts.ts";
import { selectReport } from "../../../src/store/report/reports.ts";
import { selectMonitoredServer } from "../../../src/store/server/servers.ts";
import { openDatabase } from "../../../src/store/engine/open-database.ts";
import { migrations, newestMigration } from "../../../src/store/migrations/registry.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { countRows, installNext, installVersion, migrationsIn, shapeOf, tablesIn } from "./installed.ts";
import { openRaw, type RawDatabase } from "./raw-database.ts";
import { noon, times, viewer } from "./rows.ts";
import { versions } from "./versions.ts";

withNextMigration();

const expected = () => migrations.map(({ id, name }) => ({ id, name }));

eachDatabase((databases) => {
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
      expect(after.migrations).toEqual(expected());
      expect(after.shape).toEqual(released.newShape);
      // The note of the upgrade itself is a row more than the database had.
      const notes = id < newestMigration() ? 1 : 0;
      expect({ ...after.counts, service_log: (after.counts["service_log"] ?? 0) - notes }).toMatchObject(
        before,
      );
    },
  );

  it.each(versions)(
    "[OUR-STO-33] a start with a database of version $id finds what was written",
    async ({ id }) => {
      const url = await databases.emptyUrl();
      await inspected(url, (db) => installVersion(db, id));
      const db = await openDatabase(url, () => {}, { backup: false });
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
      const [place] = await inspected(url, (raw) =>
        raw.rows("SELECT player_count, last_event_at FROM server WHERE id = 's1'"),
      );
      expect(Object.values(place ?? {}).map(Number)).toEqual(id < 7 ? [7, 5] : [3, 1_700_000_000_000]);
    },
  );

  it("[OUR-ADM-14] what brought a database up to date is written down once, and nothing of one that was made", async () => {
    const written = "SELECT kind, words, times, done_by FROM service_log WHERE kind = 'schema_migrated'";
    const url = await databases.emptyUrl();
    await databases.open(url);
    expect(await inspected(url, (db) => db.rows(written))).toEqual([]);
    const old = await databases.emptyUrl();
    await inspected(old, (db) => installVersion(db, 1));
    for (const _ of times(2)) await databases.open(old);
    const later = expected()
      .filter(({ id }) => id > 1)
      .map(({ id, name }) => `${id} (${name})`);
    expect(await inspected(old, (db) => db.rows(written))).toEqual([
      {
        kind: "schema_migrated",
        words: `The database was brought up to date: ${later.join(", ")}.`,
        times: 1,
        done_by: "service",
      },
    ]);
  });
}, sharedKinds);
