import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, lstatSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { CommandError, exitStatus } from "./output.ts";

/**
 * Makes a file that is there whole or not at all: `write` fills a draft beside it, which is on disk before it gets
 * its name. A file that exists stays as it is. It holds password hashes, so only its owner may read it. A signal to end
 * ends the process and leaves no draft; with `signal` the process ends by itself, and `write` has to end when `signal` does.
 */
export async function makeFile<T>(
  path: string,
  write: (draft: string) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  refuseExisting(path);
  const draft = `${path}.${randomBytes(6).toString("hex")}.part`;
  reserve(draft, path);
  const remove = (): void => {
    for (const name of [draft, `${draft}-journal`, `${draft}-wal`, `${draft}-shm`])
      rmSync(name, { force: true });
  };
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

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : null);

const existing = (path: string): CommandError =>
  new CommandError(`${path} exists already, and is not overwritten. Name another file.`);

function refuseExisting(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })) throw existing(path);
}

function reserve(draft: string, path: string): void {
  try {
    closeSync(openSync(draft, "wx", 0o600));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${path} cannot be created (${why}). Name another file.`);
  }
}

/** Gives the draft its name, and never to another file's harm. */
function linkDraft(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw existing(path);
    // Some file systems have no second names.
    refuseExisting(path);
    renameSync(draft, path);
  }
  synchronise(dirname(path));
}

/** Some file systems cannot synchronise a folder, and say so: nothing can be done about it. */
function synchronise(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } catch (error) {
    if (codeOf(error) !== "EINVAL" && codeOf(error) !== "EPERM") throw error;
  } finally {
    closeSync(file);
  }
}
