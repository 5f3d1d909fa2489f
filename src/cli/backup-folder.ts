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

/** A folder in which backups are kept. */
export interface BackupFolder {
  readonly folder: string;
  /** How many backups are kept; null: all. */
  readonly keep: number | null;
  /** Backups are made so far apart, ms; 0 where nobody says. */
  readonly everyMs: number;
  readonly database: BackedUpDatabase;
}

/** What is backed up. */
export interface BackedUpDatabase {
  /** Stands in the names of its backups: databases that share a folder leave each other's alone. */
  readonly identity: string;
  /** How the names of its backups end: a copy of a file, or an export. */
  readonly ending: "db" | "ndjson";
  /** Writes a backup into a file that is there. `goOn` is called now and then, and ends it by throwing. */
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

/** `tickmark-0123456789ab-20261125T020000Z.db`: sorts by time. Two of one second have a number. */
const backupName = /^tickmark-([0-9a-f]{12})-(\d{8}T\d{6}Z)(?:-\d+)?\.(?:db|ndjson)$/;

/**
 * Makes one backup into the folder. With `signal` the process is ended by whoever calls this: a backup in progress is
 * given up when `signal` says so.
 */
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

/** A clock that was put back comes to the same second again. */
function freeName(stem: string, ending: string): string {
  for (let number = 1; ; number += 1) {
    const name = `${stem}${number === 1 ? "" : `-${number}`}.${ending}`;
    if (!isThere(name)) return name;
  }
}

/** Removes the backups of this database beyond those that are kept, after `made` was made. */
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

/** When the last backup was made as the names say; null where there is none. */
export const newestBackup = (folder: string, identity: string, now: Instant): Copy | null =>
  backupsIn(folder, identity, now, null).toSorted((one, other) => other.at - one.at)[0] ?? null;

/**
 * The backups of a database. One whose name or time is ahead of now was named by a clock that is not this one: it is no
 * measure of anything, and is left alone until then, unless it was `made` just now.
 */
function backupsIn(folder: string, identity: string, now: Instant, made: string | null): Copy[] {
  return namesIn(folder).flatMap((name) => {
    const [, owner, time = ""] = backupName.exec(name) ?? [];
    const path = join(folder, name);
    // Another process may have removed it since.
    const file = owner === identity ? statSync(path, { throwIfNoEntry: false }) : undefined;
    if (file === undefined) return [];
    const at = timeOfCompact(time);
    return path === made || (at <= now && file.mtimeMs <= now) ? [{ name: path, at }] : [];
  });
}

const namesIn = (folder: string): string[] => (isThere(folder) ? readdirSync(folder) : []);
