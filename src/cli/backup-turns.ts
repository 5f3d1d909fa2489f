import { Unavailable } from "../core/errors.ts";
import type { Database } from "../store/engine/database.ts";
import { openAsItIs } from "../store/engine/open-database.ts";
import { jobRunner, type JobRunner } from "../store/job/jobs.ts";
import type { BackupTurns } from "./keep-backing-up.ts";

/** Lets one process at a time make a backup; without turns if the database cannot be written (full disk). */
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

/** Another file is at the path of the database; copies of it would push good backups out. */
const isOfAnotherFile = (error: unknown): boolean =>
  error instanceof Unavailable && ["removed", "replaced", "truncated"].includes(error.trouble);

/** For a process that does not serve. If the database is not up to date, the work runs without a turn. */
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

/** Null if the database is of another version or cannot be used; the backup then says why. */
async function openedAsItIs(url: string): Promise<Database | null> {
  try {
    return await openAsItIs(url);
  } catch {
    return null;
  }
}
