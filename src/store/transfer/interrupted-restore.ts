import { readdirSync, rmSync, statSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isThere, logsOf, synchroniseName } from "../private-file.ts";

/** There is no database where one was: an empty one is made only by somebody who says so. */
export class DatabaseMissing extends Error {
  override readonly name = "DatabaseMissing";
  /** A configuration that has to be corrected: a supervisor does not try again. */
  readonly status = 2;
}

/** What an interrupted restore, a service whose file was removed, or somebody who moved files left beside a database. */
function leftBeside(path: string): string[] {
  const folder = dirname(path);
  const name = basename(path);
  if (!isThere(folder)) return [];
  return readdirSync(folder)
    .filter((file) => isWhole(file, name) || file === `${name}-wal` || isDraft(file, name))
    .map((file) => join(folder, file))
    .toSorted();
}

/** Moved aside by a restore, or saved by a service whose file was removed. */
const isWhole = (file: string, name: string): boolean =>
  file.startsWith(`${name}.replaced-`) || file.startsWith(`${name}.rescued-`);

const isDraft = (file: string, name: string): boolean =>
  file.startsWith(`${name}.`) && file.endsWith(".part");

/** Refuses to begin with an empty database beside what may be the real one. */
export function refuseToBeginAnew(path: string): void {
  if (isThere(path)) return;
  const left = leftBeside(path);
  if (left.length === 0) return;
  throw new DatabaseMissing(
    `There is no database ${path}, but ${left.join(", ")} beside it. ${wayBack(path, left)}; --new-database begins with an empty one.`,
  );
}

/** The newest file that is a database by itself, or a backup. */
function wayBack(path: string, left: readonly string[]): string {
  const files = left.filter((file) => isWhole(basename(file), basename(path)) && isByItself(file));
  const [newest] = files.toSorted((one, other) => (timeIn(one) < timeIn(other) ? 1 : -1));
  if (newest === undefined) return "Restore a backup (tickmark restore FILE)";
  const log = `${path}-wal`;
  // SQLite would take it for the log of whatever has the name.
  const first = left.includes(log) ? `move ${log} away, then ` : "";
  return `To go on with that database: ${first}mv ${newest} ${path}. Or restore a backup (tickmark restore FILE)`;
}

/** Neither empty nor without a log that is beside it: what was not finished, or is damaged, has one. */
const isByItself = (file: string): boolean =>
  statSync(file).size > 0 && !logsOf(file).some((log) => isThere(log)) && !/-(wal|shm|journal)$/.test(file);

/** The end of its name says when it was set aside. */
const timeIn = (file: string): string => /-(\d{8}T\d{6}Z)(?:-\d+)?$/.exec(basename(file))?.[1] ?? "";

/**
 * What a restore that was interrupted left beside a database that is whole, in words. A second name of the database
 * itself is taken away: the restore had not come to the new file yet.
 */
export function undoInterruptedRestore(path: string): string[] {
  const database = statSync(path, { throwIfNoEntry: false });
  if (database === undefined) return [];
  return leftBeside(path).flatMap((file) => {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found !== undefined && isSame(found, database)) {
      rmSync(file);
      synchroniseName(file);
      return [
        `A restore was interrupted before the new database took its place: ${path} is the one from before it.`,
      ];
    }
    return file.includes(".restoring-")
      ? [
          `A restore is under way or was interrupted: ${file} is what it made so far, and ${path} is the database from before it. Remove that file, or repeat the restore.`,
        ]
      : [];
  });
}

const isSame = (one: Stats, other: Stats): boolean => one.ino === other.ino && one.dev === other.dev;
