import { randomBytes } from "node:crypto";
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { appliedInSqlite, newestOf, refuseForeign, type Applied } from "../migrations/applied.ts";
import { isThere, logsOf } from "../private-file.ts";
import { checkCopy } from "./backup.ts";
import { sealedTables } from "../access/sealed-values.ts";
import { compactTime } from "./compact-time.ts";
import { identityOfFile, setIdentity } from "./database-identity.ts";
import { fileSteps, type FileSteps } from "./file-steps.ts";
import { ExchangeError, quotedIdentifier, type Inspection } from "./format.ts";
import { heldAlone, isSqliteFile } from "./held-alone.ts";
import { openFile } from "./sqlite-file.ts";
import { failureCode } from "../../core/failure-code.ts";

export type BackupKind = "sqlite" | "export";

/** Recognizes a file by its first bytes. Throws ExchangeError for any other file. */
export function kindOfBackup(file: string): BackupKind {
  const first = firstByte(file);
  if (first !== null && isSqliteFile(file)) return "sqlite";
  if (first === 0x7b) return "export";
  throw new ExchangeError(`${file} is neither a backup nor an export of Tickmark. Name another file.`);
}

/** The file in which a restored database is built; a start finds an interrupted restore by this name. */
export const restoreDraft = (path: string): string =>
  `${path}.restoring-${randomBytes(6).toString("hex")}.part`;

function firstByte(file: string): number | null {
  const first = Buffer.alloc(1);
  const handle = openSync(file, "r");
  try {
    return readSync(handle, first, 0, 1, 0) === 0 ? null : (first[0] ?? null);
  } finally {
    closeSync(handle);
  }
}

export interface Restored<T> {
  readonly result: T;
  /** The new path of the former database; null if there was none. */
  readonly replaced: string | null;
}

interface RestoreTo<T> {
  readonly path: string;
  readonly draft: string;
  readonly fill: (draft: string, steps: FileSteps) => Promise<T>;
  readonly now: Date;
}

/**
 * Restores a database at `path`: it is complete and on disk before anything there is touched. The old
 * database keeps a name, and the new file takes the path in one step, so an interruption leaves one of both.
 */
export async function restoreTo<T>(
  { path, draft, fill, now }: RestoreTo<T>,
  steps: FileSteps = fileSteps,
): Promise<Restored<T>> {
  if (isThere(path)) heldAlone(path)?.release();
  try {
    steps.make(draft);
    const result = await fill(draft, steps);
    checkCopy(draft);
    setIdentity(draft, isThere(path) ? identityOfFile(path) : null);
    giveToOwner(draft, path, steps);
    steps.save(draft);
    return { result, replaced: exchange(draft, path, now, steps) };
  } finally {
    steps.remove(draft);
  }
}

/** Moves the draft to `path`; returns the new path of the former database. */
function exchange(draft: string, path: string, now: Date, steps: FileSteps): string | null {
  if (!isThere(path)) {
    named(draft, path, steps);
    steps.saveName(path);
    return null;
  }
  const held = heldAlone(path);
  try {
    const aside = freeName(`${path}.replaced-${compactTime(now)}`);
    // The log of a damaged database belongs to it, and must not be taken for the new file's log.
    const moved = held === null ? [path, ...logsOf(path).filter((name) => isThere(name))] : [path];
    for (const name of moved) named(name, aside + name.slice(path.length), steps);
    steps.saveName(path);
    if (held === null) for (const name of moved.slice(1)) steps.remove(name);
    steps.rename(draft, path);
    steps.saveName(path);
    return aside;
  } finally {
    held?.release();
  }
}

/** Adds a name without overwriting another file; moves the file if the file system has no hard links. */
function named(file: string, name: string, steps: FileSteps): void {
  try {
    steps.link(file, name);
  } catch (error) {
    const code = failureCode(error);
    if (code === "EEXIST") throw new ExchangeError(`${name} was made meanwhile. Restore again.`);
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "EOPNOTSUPP" && code !== "ENOSYS") throw error;
    steps.rename(file, name);
  }
}

function freeName(stem: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? stem : `${stem}-${number}`;
    if (!isThere(name)) return name;
  }
}

/** Root restores for the user who owns the database or its folder. */
function giveToOwner(draft: string, path: string, steps: FileSteps): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(isThere(path) ? path : dirname(path));
  steps.give(draft, uid, gid);
}

/**
 * Fills a draft from an SQLite copy, and returns its migration. Throws if it is no database of Tickmark or of
 * an unknown version. `inspection` gets its sealed rows.
 */
export const fromSqlite =
  (file: string, inspection: Inspection | null) =>
  async (draft: string, steps: FileSteps): Promise<number> => {
    await steps.copy(file, draft);
    checkCopy(draft);
    const applied = appliedIn(draft);
    const version = newestOf(applied);
    if (version === null)
      throw new ExchangeError(`${file} is not a database of Tickmark. Name another file.`);
    refuseForeign(applied, file);
    if (inspection !== null) inspect(draft, inspection);
    return version;
  };

/** Passes on the rows with sealed values; an older version lacks some of these tables. */
function inspect(path: string, { row, end }: Inspection): void {
  const db = openFile(path);
  try {
    const tables = db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
    for (const table of [...sealedTables, "secret_check"] as const) {
      if (tables.get(table) === undefined) continue;
      for (const found of db.prepare(`SELECT * FROM ${quotedIdentifier(table)}`).iterate())
        row(table, found as Readonly<Record<string, unknown>>);
    }
  } finally {
    db.close();
  }
  end();
}

function appliedIn(path: string): Applied {
  const db = openFile(path);
  try {
    return appliedInSqlite(db);
  } finally {
    db.close();
  }
}
