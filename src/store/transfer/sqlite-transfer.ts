import type Sqlite from "better-sqlite3";
import { appliedInSqlite } from "../migrations/applied.ts";
import { applyToSqlite } from "../engine/migrate-sqlite.ts";
import { isSqliteError } from "../engine/sqlite-library.ts";
import { ensurePrivateFile } from "../private-file.ts";
import {
  checkSchema,
  checkTarget,
  columnsFrom,
  ExchangeError,
  listed,
  notEmpty,
  presentIn,
  quotedIdentifier,
  type Columns,
  type Row,
  type Snapshot,
  type TransferTarget,
} from "./format.ts";
import { openFile } from "./sqlite-file.ts";
import { ownNotes, tablesToBeEmpty, type TableName } from "./tables.ts";

const columnsOf = (db: Sqlite.Database): Columns =>
  columnsFrom(
    db
      .prepare<[], { table: string; name: string; type: string }>(
        `SELECT t.name AS "table", c.name, c.type FROM sqlite_master AS t JOIN pragma_table_info(t.name) AS c
         WHERE t.type = 'table' ORDER BY t.name, c.cid`,
      )
      .all(),
  );

/** A read transaction on its own connection; the service can go on writing meanwhile. */
export function sqliteSnapshot(path: string): Snapshot {
  const db = openFile(path);
  try {
    db.pragma("query_only = ON");
    db.exec("BEGIN");
    checkSchema(appliedInSqlite(db));
    const columns = columnsOf(db);
    return {
      columns,
      async *rows(table: TableName) {
        const select = `SELECT ${listed(columns.get(table) ?? [])} FROM ${quotedIdentifier(table)}`;
        yield* db.prepare<[], Row>(select).raw().iterate();
      },
      close: async () => void db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

const busyTimeoutMs = 5000;

/** Takes the write lock until the target is closed. */
export function sqliteTarget(path: string, version: number): TransferTarget {
  ensurePrivateFile(path);
  const db = openFile(path);
  try {
    db.pragma("synchronous = FULL");
    db.pragma("foreign_keys = ON");
    db.pragma(`busy_timeout = ${busyTimeoutMs}`);
    begin(db);
    applyToSqlite(db, version);
    checkTarget(appliedInSqlite(db), version);
    const columns = columnsOf(db);
    for (const table of presentIn(columns, tablesToBeEmpty))
      if (db.prepare(`SELECT 1 FROM ${quotedIdentifier(table)} LIMIT 1`).get() !== undefined)
        throw notEmpty(table);
    for (const table of presentIn(columns, ownNotes)) db.exec(`DELETE FROM ${quotedIdentifier(table)}`);
    return filling(db, columns);
  } catch (error) {
    db.close();
    throw error;
  }
}

function begin(db: Sqlite.Database): void {
  try {
    db.exec("BEGIN IMMEDIATE");
  } catch (error) {
    const taken = isSqliteError(error) && error.code.startsWith("SQLITE_BUSY");
    throw taken ? new ExchangeError("Another process writes to the database. Stop it first.") : error;
  }
}

function filling(db: Sqlite.Database, columns: Columns): TransferTarget {
  const insertions = new Map<TableName, Sqlite.Statement>();
  const insertionInto = (table: TableName): Sqlite.Statement => {
    const known = insertions.get(table);
    if (known) return known;
    const into = columns.get(table) ?? [];
    const places = into.map(() => "?").join(", ");
    const made = db.prepare(`INSERT INTO ${quotedIdentifier(table)} (${listed(into)}) VALUES (${places})`);
    insertions.set(table, made);
    return made;
  };
  return {
    columns,
    insert: async (table, rows) => {
      const insertion = insertionInto(table);
      for (const row of rows) insertion.run(row);
    },
    commit: async (statements) => {
      for (const statement of statements) db.exec(statement);
      applyToSqlite(db);
      db.exec("COMMIT");
    },
    // Closing the connection rolls back its transaction.
    close: async () => void db.close(),
  };
}
