import { withNextMigration } from "../../support/next-migration.ts";
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { newestMigration } from "../../../src/store/migrations/registry.ts";
import { formatName } from "../../../src/store/transfer/format.ts";
import { exportedTables } from "../../../src/store/transfer/tables.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { installVersion, tablesIn } from "../engine/installed.ts";
import { openRaw } from "../engine/raw-database.ts";
import { exportOf, importInto, sortedRows } from "./exchanging.ts";

withNextMigration();

/** The migration of the release before: the next one joins when the tests run. */
const older = newestMigration();

const written = (value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;

/** The export that the program of that version made of such a database. */
async function exportOfVersion(url: string, version: number): Promise<Buffer> {
  const db = await openRaw(url);
  await installVersion(db, version);
  const known = new Set(await tablesIn(db));
  const header = {
    format: formatName,
    version,
    exported_at: "2026-11-20T08:00:00Z",
    service_version: "0",
  };
  const lines = [JSON.stringify(header)];
  const tables: Record<string, number> = {};
  for (const table of exportedTables) {
    if (!known.has(table)) continue;
    const rows = await db.rows(`SELECT * FROM "${table}"`);
    tables[table] = rows.length;
    for (const row of rows) {
      const given = Object.entries(row).filter(([, value]) => value !== null);
      lines.push(
        JSON.stringify({
          table,
          row: Object.fromEntries(given.map(([name, value]) => [name, written(value)])),
        }),
      );
    }
  }
  await db.close();
  const text = lines.map((line) => `${line}\n`).join("");
  const digest = `sha256:${createHash("sha256").update(text).digest("hex")}`;
  return Buffer.from(`${text}${JSON.stringify({ rows: lines.length - 1, tables, digest })}\n`);
}

const withoutNotes = (bytes: Buffer): string[] =>
  sortedRows(bytes).filter((line) => !line.includes('"schema_migrated"'));

eachDatabase((databases, kind) => {
  it("[OUR-STO-56] an export of the release before becomes what an upgrade makes of its database, in a new database alone", async () => {
    const current = await databases.emptyUrl();
    await databases.open(current);
    const old = await databases.emptyUrl();
    const exported = await exportOfVersion(old, older);
    await databases.open(old);
    const restored = await databases.emptyUrl();
    await importInto(restored, exported);
    expect(withoutNotes(await exportOf(restored))).toEqual(withoutNotes(await exportOf(old)));
    const upgraded = sortedRows(await exportOf(restored)).filter((line) =>
      line.includes('"schema_migrated"'),
    );
    expect(upgraded).toHaveLength(1);

    await expect(importInto(current, exported)).rejects.toThrow(/to a new database without tables/);
    expect(sortedRows(await exportOf(current))).toEqual([]);
  });

  it.skipIf(kind !== "PostgreSQL")("[OUR-STO-86] an import leaves statistics of what it loaded", async () => {
    const exported = await exportOfVersion(await databases.emptyUrl(), older);
    const restored = await databases.emptyUrl();
    await importInto(restored, exported);
    const raw = await openRaw(restored);
    const analysed = await raw.rows(
      "SELECT DISTINCT tablename FROM pg_stats WHERE schemaname = current_schema()",
    );
    await raw.close();
    expect(analysed.map(({ tablename }) => tablename)).toEqual(expect.arrayContaining(["account", "server"]));
  });
}, sharedKinds);
