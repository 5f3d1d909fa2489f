import { readdirSync, rmSync, statSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isThere, logsOf, synchroniseName } from "../private-file.ts";

/** The database file is gone; an empty one is created only on explicit request. */
export class DatabaseMissing extends Error {
  override readonly name = "DatabaseMissing";
  /** Exit status of a configuration error, after which a supervisor does not retry. */
  readonly status = 2;
}

/** Files beside a database from an interrupted restore, a rescue, or a move by somebody. */
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

/** Throws DatabaseMissing instead of creating an empty database beside what may be the real one. */
export function refuseToBeginAnew(path: string): void {
  if (isThere(path)) return;
  const left = leftBeside(path);
  // A process that starts at the same moment made the database, and its log, since the look above.
  if (left.length === 0 || isThere(path)) return;
  throw new DatabaseMissing(
    `There is no database ${path}, but ${left.join(", ")} beside it. ${wayBack(path, left)}; --new-database begins with an empty one.`,
  );
}

function wayBack(path: string, left: readonly string[]): string {
  const files = left.filter((file) => isWhole(basename(file), basename(path)) && isByItself(file));
  const [newest] = files.toSorted((one, other) => (timeIn(one) < timeIn(other) ? 1 : -1));
  if (newest === undefined) return "Restore a backup (tickmark restore FILE)";
  const log = `${path}-wal`;
  // SQLite would apply this log to any file with the database's name.
  const first = left.includes(log) ? `move ${log} away, then ` : "";
  return `To go on with that database: ${first}mv ${newest} ${path}. Or restore a backup (tickmark restore FILE)`;
}

/** Not empty and without a log: an unfinished or damaged file has one. */
const isByItself = (file: string): boolean =>
  statSync(file).size > 0 && !logsOf(file).some((log) => isThere(log)) && !/-(wal|shm|journal)$/.test(file);

/** The time in the file's name at which it was set aside. */
const timeIn = (file: string): string => /-(\d{8}T\d{6}Z)(?:-\d+)?$/.exec(basename(file))?.[1] ?? "";

/**
 * Describes what an interrupted restore left beside a complete database. Removes a second link to the
 * database itself: the restore had not yet put the new file in place.
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
