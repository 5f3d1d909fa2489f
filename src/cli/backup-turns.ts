import { Unavailable } from "../core/errors.ts";
import type { Database } from "../store/engine/database.ts";
import { openAsItIs } from "../store/engine/open-database.ts";
import { jobRunner, type JobRunner } from "../store/job/jobs.ts";
import type { BackupTurns } from "./keep-backing-up.ts";

/**
 * Processes of one database make backups one after the other, as each job of the service runs in one of them. A
 * database that cannot be written, as on a full disk, is still backed up.
 */
export const aloneWith =
  (runner: JobRunner): BackupTurns["alone"] =>
  async (work) => {
    let begun = false;
    const run = (): Promise<void> => {
      begun = true;
      return work();
    };
    try {
      return await runner.runAlone({ name: "backup", everyMs: 0, run }, Date.now);
    } catch (error) {
      if (begun || isOfAnotherFile(error)) throw error;
      await work();
      return true;
    }
  };

/** What stands at the path of the database is not what this process serves: a copy of it would push good ones out. */
const isOfAnotherFile = (error: unknown): boolean =>
  error instanceof Unavailable && ["removed", "replaced", "truncated"].includes(error.trouble);

/**
 * The same for a process that makes backups and does not serve. It opens the database for each backup, and only one that
 * is up to date; the backup of any other database is made without a turn.
 */
export const aloneAt =
  (url: string): BackupTurns["alone"] =>
  async (work) => {
    const database = await openedAsItIs(url);
    if (database === null) {
      await work();
      return true;
    }
    try {
      return await aloneWith(jobRunner(database))(work);
    } finally {
      await database.close();
    }
  };

/** Null where the database is of another version, or cannot be used; the backup then says why. */
async function openedAsItIs(url: string): Promise<Database | null> {
  try {
    return await openAsItIs(url);
  } catch {
    return null;
  }
}
