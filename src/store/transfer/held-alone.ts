import { closeSync, openSync, readSync } from "node:fs";
import type Sqlite from "better-sqlite3";
import { isSqliteError, openSqliteConnection } from "../engine/sqlite-library.ts";
import { ExchangeError } from "./format.ts";

export interface HeldDatabase {
  release(): void;
}

/**
 * Writes a database's log back into its file, and keeps other processes out. Throws if a process uses the
 * database. Null if the file is damaged or no database: it cannot be locked, and its log is part of it.
 */
export function heldAlone(path: string): HeldDatabase | null {
  // Opening a file that is no database would remove its log.
  if (!isSqliteFile(path)) return null;
  const db = openSqliteConnection(path, { fileMustExist: true, timeout: 0 });
  try {
    db.pragma("locking_mode = EXCLUSIVE");
    if (db.pragma("journal_mode = DELETE", { simple: true }) !== "delete") throw inUse();
    db.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    closeQuietly(db);
    if (isDamage(error)) return null;
    const isHeld = isSqliteError(error) && /^SQLITE_(BUSY|LOCKED)/.test(error.code);
    throw isHeld ? inUse() : error;
  }
  return { release: () => db.close() };
}

const sqliteHeader = "SQLite format 3\0";

/** Checks the header. An empty file counts: it is a database without tables. */
export function isSqliteFile(path: string): boolean {
  const first = Buffer.alloc(sqliteHeader.length);
  const file = openSync(path, "r");
  try {
    const length = readSync(file, first, 0, first.length, 0);
    return length === 0 || first.toString("latin1") === sqliteHeader;
  } finally {
    closeSync(file);
  }
}

const inUse = (): ExchangeError =>
  new ExchangeError("Another process uses the database. Stop the service first.");

export const isDamage = (error: unknown): boolean =>
  isSqliteError(error) && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code);

/** Closing a damaged file may fail again; the first error is already reported. */
function closeQuietly(db: Sqlite.Database): void {
  try {
    db.close();
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}
