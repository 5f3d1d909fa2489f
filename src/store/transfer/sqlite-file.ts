import { existsSync } from "node:fs";
import type Sqlite from "better-sqlite3";
import { isSqliteError, openSqliteConnection } from "../engine/sqlite-library.ts";
import { ExchangeError } from "./format.ts";

/** Opens an existing database on a new connection, without migrating it; otherwise throws ExchangeError. */
export function openFile(path: string): Sqlite.Database {
  if (!existsSync(path))
    throw new ExchangeError(`There is no database ${path}. Set TICKMARK_DATABASE_URL to the database.`);
  const db = openSqliteConnection(path, { fileMustExist: true });
  try {
    db.pragma("schema_version");
  } catch (error) {
    db.close();
    const foreign = isSqliteError(error) && error.code === "SQLITE_NOTADB";
    throw foreign ? new ExchangeError(`${path} is not an SQLite database.`) : error;
  }
  return db;
}
