import { setImmediate as nextPass } from "node:timers/promises";
import type Sqlite from "better-sqlite3";
import { appliedInSqlite, refuseForeign } from "../migrations/applied.ts";
import { inDialect } from "../migrations/migration.ts";
import { migrations, newestMigration } from "../migrations/registry.ts";
import { noteUpgrade, upgradeOf } from "../migrations/upgrade.ts";

/** Brings the schema up to date in one transaction. */
export function migrateSqlite(db: Sqlite.Database): void {
  const apply = db.transaction(() => applyToSqlite(db));
  // IMMEDIATE locks first: of processes that start together one migrates, and the others find it done.
  apply.immediate();
}

/** Applies missing migrations up to `upTo`, inside the caller's transaction. */
export function applyToSqlite(db: Sqlite.Database, upTo: number = newestMigration()): void {
  for (const _ of stepsToSqlite(db, upTo));
}

/**
 * Upgrades an existing database in one transaction. The process can handle signals between two statements: if
 * `signal` aborts, the upgrade is rolled back and the abort reason is thrown.
 */
export async function upgradeSqlite(db: Sqlite.Database, signal: AbortSignal): Promise<void> {
  db.exec("BEGIN IMMEDIATE");
  try {
    for (const _ of stepsToSqlite(db, newestMigration())) {
      await nextPass();
      signal.throwIfAborted();
    }
    db.exec("COMMIT");
  } catch (error) {
    if (db.inTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

function* stepsToSqlite(db: Sqlite.Database, upTo: number): Generator<void> {
  const applied = appliedInSqlite(db);
  refuseForeign(applied);
  db.exec("CREATE TABLE IF NOT EXISTS schema_migration (id INTEGER PRIMARY KEY, name TEXT NOT NULL)");
  const note = db.prepare("INSERT INTO schema_migration (id, name) VALUES (?, ?)");
  const wanted = migrations.filter(({ id }) => id <= upTo);
  for (const { id, name, statements } of wanted) {
    if (applied.has(id)) continue;
    for (const statement of statements) {
      db.exec(inDialect(statement, "sqlite"));
      yield;
    }
    note.run(id, name);
  }
  const upgrade = upgradeOf(applied, wanted);
  if (upgrade) db.prepare(noteUpgrade(() => "?")).run(upgrade);
}
