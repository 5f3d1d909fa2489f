import { randomBytes } from "node:crypto";
import { linkSync, lstatSync, renameSync } from "node:fs";
import { makePrivateFile, removeWithLogs, synchronise, synchroniseName } from "../store/private-file.ts";
import { CommandError, exitStatus } from "./output.ts";
import { failureCode } from "../core/failure-code.ts";

/**
 * Makes a file that is complete or absent, and that only its owner may read (password hashes). Throws if it
 * exists. With `signal`, `write` must end when it aborts; without it, SIGINT and SIGTERM end the process.
 */
export async function makeFile<T>(
  path: string,
  write: (draft: string) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  refuseExisting(path);
  const draft = `${path}.${randomBytes(6).toString("hex")}.part`;
  reserve(draft, path);
  const remove = (): void => removeWithLogs(draft);
  const abandon = (): void => {
    remove();
    process.exit(exitStatus.failed);
  };
  if (signal) process.once("exit", remove);
  else for (const name of ["SIGINT", "SIGTERM"]) process.once(name, abandon);
  try {
    const result = await write(draft);
    synchronise(draft);
    linkDraft(draft, path);
    return result;
  } finally {
    for (const name of ["SIGINT", "SIGTERM"]) process.off(name, abandon);
    process.off("exit", remove);
    remove();
  }
}

const existing = (path: string): CommandError =>
  new CommandError(`${path} exists already, and is not overwritten. Name another file.`);

function refuseExisting(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })) throw existing(path);
}

function reserve(draft: string, path: string): void {
  try {
    makePrivateFile(draft);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${path} cannot be created (${why}). Name another file.`);
  }
}

/** Gives the draft its name without replacing another file. */
function linkDraft(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (failureCode(error) === "EEXIST") throw existing(path);
    // Some file systems have no hard links.
    refuseExisting(path);
    renameSync(draft, path);
  }
  synchroniseName(path);
}
