import { backupBeforeUpgrade } from "../transfer/upgrade-backup.ts";
import type { Database } from "./database.ts";
import { rehearsed } from "./rehearsal.ts";
import type { TellOperator } from "./file-watch.ts";
import { openSqlite } from "./sqlite.ts";

interface OpenOptions {
  /** False: an SQLite file is upgraded without a copy of it being made first. */
  readonly backup?: boolean;
  /** Is given the path of the copy that was made before an upgrade. */
  readonly onBackup?: (path: string) => void;
  /** Is told what happens to the database while it is open. */
  readonly tell?: TellOperator;
}

/**
 * Opens `sqlite:PATH` or `postgres://…`, and brings its schema up to date; an SQLite file is copied first. Throws
 * NewerDatabase for one that a newer version wrote.
 */
export async function openDatabase(
  url: string,
  onError: (error: Error) => void,
  { backup = true, onBackup, tell = () => {} }: OpenOptions = {},
): Promise<Database> {
  if (!url.startsWith("sqlite:")) {
    // Its driver is loaded only where it is used.
    const { openPostgres } = await import("./postgres.ts");
    return rehearsed(await openPostgres(url, onError, tell));
  }
  const path = url.slice("sqlite:".length);
  const copy = backup ? await backupBeforeUpgrade(path, new Date()) : null;
  if (copy !== null) onBackup?.(copy);
  return rehearsed(openSqlite(path, undefined, undefined, tell));
}
