import { readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { plannedUpgrade } from "../migrations/planned.ts";
import { backupSqlite } from "./backup.ts";
import { ExchangeError } from "./format.ts";

/** Backups of upgrades that are kept beside the database: those of the newest upgrades. */
const keptBackups = 3;

const mark = ".before-migration-";

/** `20261125T101502Z`: sorts by time, and stands in a file name on every system. */
export const compactTime = (at: Date): string =>
  at
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replaceAll(/[-:]/g, "");

/**
 * Copies an SQLite database that is about to be upgraded into a file beside it: restoring this copy is the way back to
 * the version before. Answers its path; null where there is nothing to upgrade.
 */
export async function backupBeforeUpgrade(path: string, now: Date): Promise<string | null> {
  const { current, missing } = await plannedUpgrade(`sqlite:${path}`);
  const [first] = missing;
  if (current === null || first === undefined) return null;
  const copy = `${path}${mark}${first.id}.${compactTime(now)}`;
  // Processes that start together do not write into one file.
  const draft = `${copy}.${process.pid}.part`;
  try {
    await backupSqlite(path, draft, () => {});
    renameSync(draft, copy);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ExchangeError(
      `The database cannot be backed up before its upgrade (${why}), so it was not upgraded. Make room beside it, or run tickmark migrate --no-backup.`,
    );
  } finally {
    rmSync(draft, { force: true });
  }
  removeOlder(path);
  return copy;
}

function removeOlder(path: string): void {
  const folder = dirname(path);
  const made = readdirSync(folder)
    .filter((name) => name.startsWith(basename(path) + mark) && !name.endsWith(".part"))
    .map((name) => ({ file: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
    .toSorted((one, other) => other.at - one.at);
  for (const { file } of made.slice(keptBackups)) rmSync(file, { force: true });
}
