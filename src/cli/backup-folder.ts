import { existsSync, mkdirSync, openSync, closeSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { backupSqlite } from "../store/transfer/backup.ts";
import { sqlitePath } from "../store/transfer/open.ts";
import { compactTime } from "../store/transfer/upgrade-backup.ts";
import { exportToFile } from "./export.ts";
import { makeFile } from "./new-file.ts";
import { CommandError, exitStatus } from "./output.ts";

/** A folder in which backups are kept. */
export interface BackupFolder {
  readonly folder: string;
  /** How many backups are kept, the newest ones; null: all. */
  readonly keep: number | null;
  /** The database. */
  readonly url: string;
}

export interface MadeBackup {
  readonly file: string;
  readonly bytes: number;
}

/** Names of backups, which sort by time: a copy of an SQLite file, or an export of a PostgreSQL database. */
const backupName = /^tickmark-\d{8}T\d{6}Z\.(?:db|ndjson)$/;

const unitsMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** After a backup that failed another one is tried so much later, ms. */
const retryMs = 10 * 60_000;

const shortestMs = 60_000;
const longestMs = 31 * 86_400_000;

/** `30m`, `24h` or `7d` in ms. */
export function durationOf(option: string, text: string): number {
  const [, number, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const ms = Number(number) * unitsMs[(unit ?? "m") as keyof typeof unitsMs];
  if (ms >= shortestMs && ms <= longestMs) return ms;
  throw new CommandError(`${option} takes a time from 1m to 31d, such as 30m, 24h or 7d.`, exitStatus.usage);
}

/** A number of backups; null when it is left out. */
export function numberKept(option: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^\d{1,4}$/.test(text) && Number(text) > 0) return Number(text);
  throw new CommandError(`${option} takes a number of backups from 1 to 9999.`, exitStatus.usage);
}

/**
 * Makes one backup into the folder, and removes the oldest ones beyond those that are kept. With `signal` the process is
 * ended by whoever calls this: a backup in progress is given up when `signal` says so.
 */
export async function backupInto(
  { folder, keep, url }: BackupFolder,
  signal?: AbortSignal,
): Promise<MadeBackup> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = sqlitePath(url);
  const file = join(folder, `tickmark-${compactTime(new Date())}.${path === null ? "ndjson" : "db"}`);
  const goOn = (): void => signal?.throwIfAborted();
  await makeFile(
    file,
    async (draft) => {
      if (path === null) await exportToFile(draft, url, goOn);
      else await backupSqlite(path, draft, goOn);
    },
    signal,
  );
  if (keep !== null)
    for (const old of backupsIn(folder).slice(keep)) rmSync(join(folder, old), { force: true });
  return { file, bytes: statSync(file).size };
}

/** The names of the backups in a folder, newest first. */
const backupsIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => backupName.test(name))
        .toSorted()
        .toReversed()
    : [];

/** Throws where no file can be made in the folder: an operator learns of it at the start, not from a lost backup. */
export function checkBackupFolder(folder: string): void {
  const probe = join(folder, `.tickmark-${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    closeSync(openSync(probe, "w", 0o600));
    rmSync(probe);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`Backups cannot be written into ${folder} (${why}).`, exitStatus.usage);
  }
}

/** What a process that goes on making backups tells, and how it takes turns with others. */
export interface BackupTurns {
  readonly made: (backup: MadeBackup) => void;
  readonly failed: (error: unknown) => void;
  /** Runs the work unless another process of the service makes a backup; false where one does. */
  readonly alone: (work: () => Promise<void>) => Promise<boolean>;
}

/** While another process makes a backup, this one looks again so much later, ms. */
const turnMs = 60_000;

/**
 * Makes a backup whenever the newest one of the folder is older than `everyMs`, until `signal` ends it: a start soon
 * after the last backup makes no further one, and neither does a process whose folder another one shares. After a
 * failure it tries again in ten minutes.
 */
export async function keepBackingUp(
  into: BackupFolder,
  everyMs: number,
  signal: AbortSignal,
  { made, failed, alone }: BackupTurns,
): Promise<void> {
  const rest = (ms: number): Promise<void> => delay(ms, undefined, { signal, ref: true }).catch(() => {});
  let failedAt = Number.NEGATIVE_INFINITY;
  const waitMs = (): number => {
    const ms = Math.max(madeAt(into.folder) + everyMs, failedAt + Math.min(retryMs, everyMs)) - Date.now();
    // A clock that was wrong holds no backup up for longer than one period.
    return ms <= everyMs ? ms : 0;
  };
  while (!signal.aborted) {
    const ms = waitMs();
    if (ms > 0) {
      await rest(ms);
      continue;
    }
    try {
      const isMine = await alone(async () => {
        // Another process may have made it since.
        if (waitMs() <= 0) made(await backupInto(into, signal));
      });
      if (!isMine) await rest(Math.min(turnMs, everyMs));
    } catch (error) {
      if (signal.aborted) return;
      failedAt = Date.now();
      failed(error);
    }
  }
}

/** When the newest backup of a folder was made; long ago where there is none. */
function madeAt(folder: string): number {
  const [newest] = backupsIn(folder);
  // Another process may have removed it since.
  const file = newest === undefined ? null : statSync(join(folder, newest), { throwIfNoEntry: false });
  return file?.mtimeMs ?? Number.NEGATIVE_INFINITY;
}
