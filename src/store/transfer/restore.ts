import { copyFileSync, openSync, closeSync, readSync, renameSync, rmSync } from "node:fs";
import { newestMigration } from "../migrations/registry.ts";
import { checkCopy } from "./backup.ts";
import { sealedTables } from "../access/sealed-values.ts";
import { ExchangeError, quotedIdentifier, type Inspection } from "./format.ts";
import { openFile } from "./sqlite-file.ts";
import { versionOf } from "./sqlite-transfer.ts";

/** What a file that is to be restored holds. */
export type BackupKind = "sqlite" | "export";

const sqliteHeader = "SQLite format 3\0";

/** Tells a copy of an SQLite database from an export by its first bytes. */
export function kindOfBackup(file: string): BackupKind {
  const first = Buffer.alloc(sqliteHeader.length);
  const handle = openSync(file, "r");
  try {
    readSync(handle, first, 0, first.length, 0);
  } finally {
    closeSync(handle);
  }
  if (first.toString("latin1") === sqliteHeader) return "sqlite";
  if (first[0] === 0x7b) return "export";
  throw new ExchangeError(`${file} is neither a backup nor an export of Tickmark. Name another file.`);
}

/**
 * Puts a copy of an SQLite backup where `path` says, after it was checked: it is sound, of Tickmark, and not of a newer
 * version, and `inspection` took its sealed rows. Answers the migration that it has. Nothing may be at `path`.
 */
export function restoreSqlite(file: string, path: string, inspection: Inspection | null): number {
  const draft = `${path}.${process.pid}.part`;
  try {
    copyFileSync(file, draft);
    checkCopy(draft);
    const version = versionIn(draft);
    if (version === null)
      throw new ExchangeError(`${file} is not a database of Tickmark. Name another file.`);
    if (version > newestMigration)
      throw new ExchangeError(
        `${file} was made by a newer version of Tickmark (migration ${version}, this version knows ${newestMigration}). Use that version.`,
      );
    if (inspection !== null) inspect(draft, inspection);
    renameSync(draft, path);
    return version;
  } finally {
    for (const name of [draft, `${draft}-wal`, `${draft}-shm`, `${draft}-journal`])
      rmSync(name, { force: true });
  }
}

/** Shows the rows that say whose secret sealed what; one of an older version lacks some of their tables. */
function inspect(path: string, { row, end }: Inspection): void {
  const db = openFile(path);
  try {
    const isThere = db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
    for (const table of [...sealedTables, "secret_check"] as const) {
      if (isThere.get(table) === undefined) continue;
      for (const found of db.prepare(`SELECT * FROM ${quotedIdentifier(table)}`).iterate())
        row(table, found as Readonly<Record<string, unknown>>);
    }
  } finally {
    db.close();
  }
  end();
}

function versionIn(path: string): number | null {
  const db = openFile(path);
  try {
    return versionOf(db);
  } finally {
    db.close();
  }
}

/**
 * Moves a database that is at `path` out of the way, as one file, and answers what undoes a restore that failed: it
 * removes what is new at `path`, and brings back what was there. Refuses a database that a process uses.
 */
export function setAside(path: string, aside: string | null): () => void {
  if (aside !== null) {
    takeAlone(path);
    renameSync(path, aside);
  }
  return () => {
    for (const name of [path, `${path}-wal`, `${path}-shm`]) rmSync(name, { force: true });
    if (aside !== null) renameSync(aside, path);
  };
}

/** Writes the log of a database back into its file, which only a connection can do that has the file to itself. */
function takeAlone(path: string): void {
  const db = openFile(path);
  try {
    db.pragma("busy_timeout = 0");
    db.pragma("journal_mode = DELETE");
  } catch {
    throw new ExchangeError("Another process uses the database. Stop the service first.");
  } finally {
    db.close();
  }
}
