import { plannedUpgrade } from "../migrations/planned.ts";
import { refuseToBeginAnew, undoInterruptedRestore } from "../transfer/interrupted-restore.ts";
import { ExchangeError } from "../transfer/format.ts";
import { backupBeforeUpgrade } from "../transfer/upgrade-backup.ts";
import type { Database } from "./database.ts";
import type { ReadReplica } from "./replica/replica.ts";
import type { TellOfReplica } from "./replica/replica-log.ts";
import { upgradeSqlite } from "./migrate-sqlite.ts";
import type { TellOperator } from "./file-watch.ts";
import { openSqliteConnection } from "./sqlite-library.ts";
import { openSqlite } from "./sqlite.ts";

/** How long an upgrade waits for another process that may be upgrading the same file, ms. */
const upgradePatienceMs = 30_000;

let debugged = (db: Database): Database => db;

/** Wraps every database that is opened from now on. For tests. */
export const debugDatabases = (mode: (db: Database) => Database): void => {
  debugged = mode;
};

export { lateReads } from "./replica/late-reads.ts";

interface OpenOptions {
  /** False: an SQLite file is upgraded without a copy first. */
  readonly backup?: boolean;
  /** Gets the path of the copy made before an upgrade. */
  readonly onBackup?: (path: string) => void;
  readonly tell?: TellOperator;
  /** True: creates a new database even if files beside the path suggest that a database was moved away. */
  readonly isNew?: boolean;
  /** Gets a sentence about each thing that an interrupted restore left behind. */
  readonly onLeftBehind?: (words: string) => void;
  /** Aborts an upgrade in progress: it is rolled back, and the abort reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens `sqlite:PATH` or `postgres://…`, creates the database if it is missing, and upgrades its schema; an
 * SQLite file is copied first. Throws ForeignDatabase if another version wrote it. For `serve`, `migrate` and
 * tests.
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

/** The PostgreSQL driver is loaded only if it is used. */
async function openPostgresDatabase(
  url: string,
  onError: (error: Error) => void,
  tell: TellOperator,
  signal: AbortSignal | undefined,
): Promise<Database> {
  const { openPostgres } = await import("./postgres.ts");
  return debugged(await openPostgres(url, onError, tell, signal));
}

/**
 * Begins to read from a replica of a PostgreSQL database, as long as it is near enough to it. Both are URLs.
 * Never rejects for a replica that is away: `tell` hears when it is used and when not.
 */
export async function openReadReplica(
  primaryUrl: string,
  replicaUrl: string,
  tell: TellOfReplica,
): Promise<ReadReplica> {
  const { openReplica } = await import("./replica/replica.ts");
  return openReplica(primaryUrl, replicaUrl, tell);
}

/** An upgrade that can be aborted. A new file is skipped: its tables are made too fast to need it. */
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
 * Opens an existing, up-to-date database, for commands beside a service: an upgrade would break a service of
 * an earlier version. Throws ExchangeError if it is missing or out of date.
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

/** The database's name in messages, without a password. */
function placeOf(url: string): string {
  if (url.startsWith("sqlite:")) return url.slice("sqlite:".length);
  const { host, pathname } = new URL(url);
  return `${pathname.slice(1)} on ${host}`;
}
