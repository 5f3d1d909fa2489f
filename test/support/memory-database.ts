import type { Database } from "../../src/store/engine/database.ts";
import { migrateSqlite } from "../../src/store/engine/migrate-sqlite.ts";
import { openSqlite } from "../../src/store/engine/sqlite.ts";
import { openSqliteConnection } from "../../src/store/engine/sqlite-library.ts";

let migrated: Buffer | null = null;

/** A new SQLite database in memory. Its tables are copied from the first one: the migrations take some 10 ms. */
export const memoryDatabase = (): Database => openSqlite((migrated ??= newTables()));

function newTables(): Buffer {
  const db = openSqliteConnection(":memory:");
  try {
    migrateSqlite(db);
    return db.serialize();
  } finally {
    db.close();
  }
}
