import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { failureCode } from "../core/failure-code.ts";

/** The id of the process that made the folder follows. */
const prefix = ".tickmark-bench-";

/** Also removes folders of killed runs. Rejects with a sentence for people if it cannot make one. */
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

/** Tries again, because a program that is ending may still write into the folder. */
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
    // EPERM: the process belongs to another user, but it runs.
    return failureCode(error) === "EPERM";
  }
}
