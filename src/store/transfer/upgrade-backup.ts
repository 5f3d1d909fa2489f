import { readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { copiesToRemove, type Copy } from "../../core/backup/copies.ts";
import type { Instant } from "../../core/time.ts";
import { plannedUpgrade } from "../migrations/planned.ts";
import { makePrivateFile, removeWithLogs, synchronise, synchroniseName } from "../private-file.ts";
import { backupSqlite } from "./backup.ts";
import { compactTime, timeOfCompact } from "./compact-time.ts";
import { ExchangeError } from "./format.ts";

const keptBackups = 3;

const mark = ".before-migration-";

/**
 * Copies an SQLite database to a file beside it before an upgrade; restoring the copy leads back to the old
 * version. Returns its path, null if there is nothing to upgrade. Throws ExchangeError if the copy fails.
 */
export async function backupBeforeUpgrade(
  path: string,
  now: Date,
  signal?: AbortSignal,
): Promise<string | null> {
  const { current, missing } = await plannedUpgrade(`sqlite:${path}`);
  const [first] = missing;
  if (current === null || first === undefined) return null;
  const copy = `${path}${mark}${first.id}.${compactTime(now)}`;
  // Processes that start together must not write to one file.
  const draft = `${copy}.${process.pid}.part`;
  try {
    removeWithLogs(draft);
    makePrivateFile(draft);
    await backupSqlite(path, draft, () => signal?.throwIfAborted());
    // Another process has upgraded the database meanwhile, and made the copy.
    if ((await plannedUpgrade(`sqlite:${draft}`)).current !== current) return null;
    synchronise(draft);
    renameSync(draft, copy);
    synchroniseName(copy);
  } catch (error) {
    signal?.throwIfAborted();
    const why = error instanceof Error ? error.message : String(error);
    throw new ExchangeError(
      `The database cannot be backed up before its upgrade (${why}), so it was not upgraded. Make room beside it, or run tickmark migrate --no-backup.`,
    );
  } finally {
    removeWithLogs(draft);
  }
  removeOlder(path, copy, now.getTime());
  return copy;
}

interface UpgradeCopy extends Copy {
  /** The first migration of the upgrade, which identifies it if it is repeated. */
  readonly migration: number;
}

/** Keeps one copy of each upgrade before a second one of any. Copies dated in the future stay. */
function removeOlder(path: string, made: string, now: Instant): void {
  const start = basename(path) + mark;
  const copies = readdirSync(dirname(path)).flatMap((file): UpgradeCopy[] => {
    const [, migration, time = ""] = /^(\d+)\.(\d{8}T\d{6}Z)$/.exec(file.slice(start.length)) ?? [];
    if (!file.startsWith(start) || migration === undefined) return [];
    const name = join(dirname(path), file);
    const at = timeOfCompact(time);
    // Another process may have removed it.
    const found = statSync(name, { throwIfNoEntry: false });
    const isOfNow = at <= now && found !== undefined && found.mtimeMs <= now;
    return name === made || isOfNow ? [{ name, at, migration: Number(migration) }] : [];
  });
  const isApart = (one: UpgradeCopy, other: UpgradeCopy): boolean => one.migration !== other.migration;
  for (const { name } of copiesToRemove(copies, { keep: keptBackups, made, isApart }))
    rmSync(name, { force: true });
}
