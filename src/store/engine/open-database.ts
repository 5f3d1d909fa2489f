import { plannedUpgrade } from "../migrations/planned.ts";
import { refuseToBeginAnew, undoInterruptedRestore } from "../transfer/interrupted-restore.ts";
import { ExchangeError } from "../transfer/format.ts";
import { backupBeforeUpgrade } from "../transfer/upgrade-backup.ts";
import type { Database } from "./database.ts";
import { upgradeSqlite } from "./migrate-sqlite.ts";
import type { TellOperator } from "./file-watch.ts";
import { openSqliteConnection } from "./sqlite-library.ts";
import { openSqlite } from "./sqlite.ts";

/** How long an upgrade waits for another process, which may be upgrading the same file, ms. */
const upgradePatienceMs = 30_000;

let debugged = (db: Database): Database => db;

/** Puts a debug mode over every database that is opened from here on: for tests. */
export const debugDatabases = (mode: (db: Database) => Database): void => {
  debugged = mode;
};

interface OpenOptions {
  /** False: an SQLite file is upgraded without a copy of it being made first. */
  readonly backup?: boolean;
  /** Is given the path of the copy that was made before an upgrade. */
  readonly onBackup?: (path: string) => void;
  /** Receives what happens to the database while it is open. */
  readonly tell?: TellOperator;
  /** True: a new database is made also where the place of the missing one looks as if it were moved away. */
  readonly isNew?: boolean;
  /** Receives what an interrupted restore left behind. */
  readonly onLeftBehind?: (words: string) => void;
  /** Gives up an upgrade that is in progress: it is undone, and the reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens `sqlite:PATH` or `postgres://…`, makes it where it is missing, and brings its schema up to date; an SQLite file
 * is copied first. Throws ForeignDatabase for one that another version wrote. For `serve` and `migrate`, and for tests.
 */
export async function openDatabase(
  url: string,
  onError: (error: Error) => void,
  { backup = true, onBackup, isNew = false, onLeftBehind, tell = () => {}, signal }: OpenOptions = {},
): Promise<Database> {
  if (!url.startsWith("sqlite:")) return openPostgresDatabase(url, onError, tell, signal);
  const path = url.slice("sqlite:".length);
  if (path !== ":memory:") {
    if (!isNew) refuseToBeginAnew(path);
    for (const words of undoInterruptedRestore(path)) onLeftBehind?.(words);
  }
  const copy = backup ? await backupBeforeUpgrade(path, new Date(), signal) : null;
  if (copy !== null) onBackup?.(copy);
  if (signal !== undefined) await upgradeFile(path, signal);
  return debugged(openSqlite(path, undefined, undefined, tell));
}

/** Its driver is loaded only where it is used. */
async function openPostgresDatabase(
  url: string,
  onError: (error: Error) => void,
  tell: TellOperator,
  signal: AbortSignal | undefined,
): Promise<Database> {
  const { openPostgres } = await import("./postgres.ts");
  return debugged(await openPostgres(url, onError, tell, signal));
}

/** An upgrade that can be given up; a new file has its tables in no time. */
async function upgradeFile(path: string, signal: AbortSignal): Promise<void> {
  const { current, missing } = await plannedUpgrade(`sqlite:${path}`);
  signal.throwIfAborted();
  if (current === null || missing.length === 0) return;
  const db = openSqliteConnection(path, { fileMustExist: true, timeout: upgradePatienceMs });
  try {
    await upgradeSqlite(db, signal);
  } finally {
    db.close();
  }
}

/**
 * Opens a database that is there and up to date, for commands beside a service: a schema that changes under a service of
 * an earlier version would break it.
 */
export async function openAsItIs(url: string): Promise<Database> {
  const { current, missing } = await plannedUpgrade(url);
  if (current === null)
    throw new ExchangeError(
      `There is no database ${placeOf(url)}. Set TICKMARK_DATABASE_URL to the database of the service; serve and migrate make a new one.`,
    );
  const [first] = missing;
  if (first !== undefined)
    throw new ExchangeError(
      `The database ${placeOf(url)} has migration ${current}, and this version needs ${missing.at(-1)?.id ?? first.id}. Nothing was changed: start the service with this version, or run tickmark migrate.`,
    );
  return openDatabase(url, () => {}, { backup: false });
}

/** A database as messages name it: without a password. */
function placeOf(url: string): string {
  if (url.startsWith("sqlite:")) return url.slice("sqlite:".length);
  const { host, pathname } = new URL(url);
  return `${pathname.slice(1)} on ${host}`;
}
