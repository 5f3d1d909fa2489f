import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { failureCode } from "../core/failure-code.ts";

/**
 * Every file that holds the database, or a secret, begins here: the database itself, backups, exports, copies before an
 * upgrade, restored files. Password hashes and fingerprints of tokens stand in it, so nobody but its owner may read it,
 * whatever the umask is; SQLite gives its logs beside the file the same rights.
 */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, "wx", privateMode));
}

const privateMode = 0o600;

/** The same where it may be there already: then it stays as it is. */
export function ensurePrivateFile(path: string): void {
  makePrivateFolder(dirname(path));
  try {
    makePrivateFile(path);
  } catch (error) {
    if (failureCode(error) !== "EEXIST") throw error;
  }
}

/** A folder for such files, with those above it; one that is there stays as it is. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** Whether a file is there. Throws where that cannot be seen: a folder that is closed is not an empty one. */
export const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

/** A database file, and what SQLite may have put beside it. */
export const withLogs = (path: string): readonly string[] => [path, ...logsOf(path)];

export const logsOf = (path: string): readonly string[] => [`${path}-wal`, `${path}-shm`, `${path}-journal`];

export function removeWithLogs(path: string): void {
  for (const name of withLogs(path)) rmSync(name, { force: true });
}

/** Brings a file, or the names in a folder, to the disk. Some file systems cannot synchronise a folder, and say so. */
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

/** Brings the name of a file to the disk, as it is now. */
export const synchroniseName = (path: string): void => synchronise(dirname(path));
