import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { failureCode } from "../core/failure-code.ts";

/**
 * Creates a file that only its owner may read, whatever the umask. Every file with the database or a secret
 * starts here, because it contains password hashes and token digests. SQLite gives its logs the same
 * permissions. Throws if the file exists.
 */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, "wx", privateMode));
}

const privateMode = 0o600;

/** Leaves an existing file as it is. */
export function ensurePrivateFile(path: string): void {
  makePrivateFolder(dirname(path));
  try {
    makePrivateFile(path);
  } catch (error) {
    if (failureCode(error) !== "EEXIST") throw error;
  }
}

/** Creates missing parent folders too; an existing folder is left as it is. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** Throws if the system does not say: a folder without access is not an empty one. */
export const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

export const withLogs = (path: string): readonly string[] => [path, ...logsOf(path)];

export const logsOf = (path: string): readonly string[] => [`${path}-wal`, `${path}-shm`, `${path}-journal`];

export function removeWithLogs(path: string): void {
  for (const name of withLogs(path)) rmSync(name, { force: true });
}

/** Syncs a file or folder to disk. Some file systems cannot sync a folder; their errors are ignored. */
export function synchronise(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } catch (error) {
    const code = failureCode(error);
    if (code !== "EINVAL" && code !== "EPERM") throw error;
  } finally {
    closeSync(file);
  }
}

/** Syncs the file's directory entry to disk. */
export const synchroniseName = (path: string): void => synchronise(dirname(path));
