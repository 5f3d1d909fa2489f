import { withNextMigration } from "../../support/next-migration.ts";
import pg from "pg";
import { expect, it } from "vitest";
import { openDatabase } from "../../../src/store/engine/open-database.ts";
import { applyToPostgres } from "../../../src/store/engine/postgres.ts";
import { applyToSqlite } from "../../../src/store/engine/migrate-sqlite.ts";
import { openSqliteConnection } from "../../../src/store/engine/sqlite-library.ts";
import { plannedUpgrade } from "../../../src/store/migrations/planned.ts";
import { newestMigration } from "../../../src/store/migrations/registry.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { until } from "../../support/service-process.ts";

withNextMigration();

/** The migration of a database of an older release. */
const old = 1;

eachDatabase((databases, kind) => {
  const oldDatabase = async (): Promise<string> => {
    const url = await databases.emptyUrl();
    if (kind === "SQLite in a file") {
      const db = openSqliteConnection(url.slice("sqlite:".length));
      applyToSqlite(db, old);
      db.close();
      return url;
    }
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("BEGIN");
    await applyToPostgres(client, old);
    await client.query("COMMIT");
    await client.end();
    return url;
  };
  const migrationOf = async (url: string) => (await plannedUpgrade(url)).current;

  it("[OUR-CLI-31] an upgrade that is given up is undone, wherever it is, and the next one is done", async () => {
    const url = await oldDatabase();
    // After each number of passes of the event loop: before, during and after the copy and the steps.
    for (const passes of [0, 1, 2, 5, 10]) {
      const ending = new AbortController();
      let left = passes;
      const count = (): void => void (left-- <= 0 ? ending.abort() : setImmediate(count));
      count();
      const opened = openDatabase(url, () => {}, { signal: ending.signal });
      // With a short upgrade, the last ones may be too late.
      const ended = await opened.then(
        (database) => database.close().then(() => newestMigration()),
        () => old,
      );
      expect(await migrationOf(url), `after ${passes} passes`).toBe(ended);
      if (ended === newestMigration()) return;
    }
    const database = await openDatabase(url, () => {}, { signal: new AbortController().signal });
    await database.close();
    expect(await migrationOf(url)).toBe(newestMigration());
  });

  it.skipIf(kind !== "PostgreSQL")(
    "[OUR-CLI-31] an upgrade that waits for that of another process is given up at once",
    async () => {
      const url = await oldDatabase();
      const other = new pg.Client({ connectionString: url });
      await other.connect();
      await other.query("BEGIN");
      await other.query("SELECT pg_advisory_xact_lock(7461636)");
      const ending = new AbortController();
      const opened = openDatabase(url, () => {}, { signal: ending.signal }).then(
        () => "opened",
        () => "given up",
      );
      const waiting =
        "SELECT count(*)::int AS waiting FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
      await until(
        "it waits",
        async () => (await other.query<{ waiting: number }>(waiting)).rows[0]?.waiting === 1,
      );
      ending.abort();
      expect(await opened).toBe("given up");
      await other.end();
      expect(await migrationOf(url)).toBe(old);
    },
  );
}, sharedKinds);
