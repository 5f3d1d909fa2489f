import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { copiesToRemove, isPeriodApart, type Copy } from "../core/backup/copies.ts";
import type { Instant } from "../core/time.ts";
import { backupSqlite } from "../store/transfer/backup.ts";
import { sqlitePath } from "../store/transfer/open.ts";
import { compactTime, timeOfCompact } from "../store/transfer/compact-time.ts";
import { isThere, makePrivateFolder } from "../store/private-file.ts";
import { exportToFile } from "./export.ts";
import { makeFile } from "./new-file.ts";

export interface BackupFolder {
  readonly folder: string;
  /** Null: all backups are kept. */
  readonly keep: number | null;
  /** Time between backups, ms; 0 if none is set. */
  readonly everyMs: number;
  readonly database: BackedUpDatabase;
}

export interface BackedUpDatabase {
  /** Part of the backups' names, so that several databases can share a folder. */
  readonly identity: string;
  /** `db`: a copy of an SQLite file; `ndjson`: an export. */
  readonly ending: "db" | "ndjson";
  /** Writes a backup into an existing file. `goOn` is called now and then, and ends it by throwing. */
  write(draft: string, goOn: () => void): Promise<void>;
}

export function databaseAt(url: string, identity: string): BackedUpDatabase {
  const path = sqlitePath(url);
  return path === null
    ? {
        identity,
        ending: "ndjson",
        write: async (draft, goOn) => void (await exportToFile(draft, url, goOn)),
      }
    : { identity, ending: "db", write: (draft, goOn) => backupSqlite(path, draft, goOn) };
}

export interface MadeBackup {
  readonly file: string;
  readonly bytes: number;
}

/** `tickmark-0123456789ab-20261125T020000Z.db`: sorts by time. A second one in a second has a number. */
const backupName = /^tickmark-([0-9a-f]{12})-(\d{8}T\d{6}Z)(?:-\d+)?\.(?:db|ndjson)$/;

/** With `signal`, the caller ends the process; a backup in progress is given up when it aborts. */
export async function backupInto(
  { folder, database }: BackupFolder,
  now: Instant,
  signal?: AbortSignal,
): Promise<MadeBackup> {
  makePrivateFolder(folder);
  const file = freeName(
    join(folder, `tickmark-${database.identity}-${compactTime(new Date(now))}`),
    database.ending,
  );
  const goOn = (): void => signal?.throwIfAborted();
  await makeFile(file, (draft) => database.write(draft, goOn), signal);
  return { file, bytes: statSync(file).size };
}

/** A clock that was set back reaches the same second again. */
function freeName(stem: string, ending: string): string {
  for (let number = 1; ; number += 1) {
    const name = `${stem}${number === 1 ? "" : `-${number}`}.${ending}`;
    if (!isThere(name)) return name;
  }
}

/** Removes this database's backups beyond `keep`, but never `made`. */
export function removeOlderBackups(
  { folder, keep, everyMs, database }: BackupFolder,
  made: string,
  now: Instant,
): void {
  if (keep === null) return;
  const copies = backupsIn(folder, database.identity, now, made);
  for (const { name } of copiesToRemove(copies, { keep, made, isApart: isPeriodApart(everyMs) }))
    rmSync(name, { force: true });
}

/** The newest backup by its name; null if there is none. */
export const newestBackup = (folder: string, identity: string, now: Instant): Copy | null =>
  backupsIn(folder, identity, now, null).toSorted((one, other) => other.at - one.at)[0] ?? null;

/** Leaves out backups from ahead of now, which a wrong clock named, unless it is `made`. */
function backupsIn(folder: string, identity: string, now: Instant, made: string | null): Copy[] {
  return namesIn(folder).flatMap((name) => {
    const [, owner, time = ""] = backupName.exec(name) ?? [];
    const path = join(folder, name);
    // Another process may have removed the file.
    const file = owner === identity ? statSync(path, { throwIfNoEntry: false }) : undefined;
    if (file === undefined) return [];
    const at = timeOfCompact(time);
    return path === made || (at <= now && file.mtimeMs <= now) ? [{ name: path, at }] : [];
  });
}

const namesIn = (folder: string): string[] => (isThere(folder) ? readdirSync(folder) : []);
