import { inDialect } from "../../../src/store/migrations/migration.ts";
import { migrations } from "../../../src/store/migrations/registry.ts";
import type { RawDatabase } from "./raw-database.ts";
import { times } from "./rows.ts";
import { versions } from "./versions.ts";

/** Every column of every table and every index, by name. */
const shape: Record<RawDatabase["dialect"], string> = {
  sqlite: `SELECT m.name AS owner, p.name, p.type, p."notnull" AS required FROM sqlite_schema m JOIN pragma_table_info(m.name) p
    WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' UNION ALL
    SELECT tbl_name, name, sql, 0 FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1, 2`,
  postgres: `SELECT table_name AS owner, column_name AS name, data_type AS type, is_nullable AS required
    FROM information_schema.columns WHERE table_schema = 'public' UNION ALL
    SELECT tablename, indexname, indexdef, '' FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1, 2`,
};

type Rows = Record<string, unknown>[];

export const shapeOf = (db: RawDatabase): Promise<Rows> => db.rows(shape[db.dialect]);

/** The migrations that a database says it has. */
export const migrationsIn = (db: RawDatabase): Promise<Rows> =>
  db.rows("SELECT id, name FROM schema_migration ORDER BY id");

/** The tables of a database, without the list of its migrations. */
export const tablesIn = (db: RawDatabase): Promise<string[]> => shapeOf(db).then(tablesOf);

const tablesOf = (found: Rows): string[] =>
  [...new Set(found.map(({ owner }) => String(owner)))].filter((name) => name !== "schema_migration");

/** The number of rows of each of those tables. */
export async function countRows(db: RawDatabase, tables: readonly string[]): Promise<Record<string, number>> {
  const counts = tables.map((table) => `SELECT '${table}' AS name, count(*) AS n FROM ${table}`);
  const rows = await db.rows(counts.join(" UNION ALL "));
  return Object.fromEntries(rows.map(({ name, n }) => [String(name), Number(n)]));
}

/** Brings a database from the version before to this one as its release did, with the rows it may have had. */
export async function installNext(db: RawDatabase, version: number): Promise<void> {
  await db.run("BEGIN");
  await db.run("CREATE TABLE IF NOT EXISTS schema_migration (id INTEGER PRIMARY KEY, name TEXT NOT NULL)");
  for (const { id, name, statements } of migrations.filter((migration) => migration.id === version)) {
    for (const statement of statements) await db.run(inDialect(statement, db.dialect));
    await db.run(`INSERT INTO schema_migration VALUES (${id}, '${name}')`);
  }
  for (const { rows } of versions.filter(({ id }) => id === version))
    for (const row of rows) await db.run(inDialect(row, db.dialect));
  await db.run("COMMIT");
}

/** Brings an empty database to a version, step by step. */
export async function installVersion(db: RawDatabase, version: number): Promise<void> {
  for (const index of times(version)) await installNext(db, index + 1);
}
