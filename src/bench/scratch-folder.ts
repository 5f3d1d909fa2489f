import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { failureCode } from "../core/failure-code.ts";

/** The start of the names of scratch folders: the number of the process that made one follows. */
const prefix = ".tickmark-bench-";

/**
 * Makes an empty folder in `directory` for one run, and removes those of runs that were killed. Rejects with a sentence
 * for people where this user cannot write there, or the disk is full.
 */
export async function makeScratchFolder(directory: string): Promise<string> {
  try {
    await removeLeftovers(directory);
    return await mkdtemp(join(directory, `${prefix}${process.pid}-`));
  } catch (error) {
    const why = failureCode(error) ?? String(error);
    throw new Error(
      `A folder for the tests cannot be made in ${directory} (${why}). Name another with --dir.`,
      {
        cause: error,
      },
    );
  }
}

/** Removes a scratch folder with everything in it. A program that is just ending may still write into it. */
export const removeScratchFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });

async function removeLeftovers(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const [, pid] = /^\.tickmark-bench-(\d{1,9})-/.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) await removeScratchFolder(join(directory, name));
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user may not be signalled, but it is there.
    return failureCode(error) === "EPERM";
  }
}
