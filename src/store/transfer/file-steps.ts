import { chownSync, createReadStream, createWriteStream, linkSync, renameSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { makePrivateFile, removeWithLogs, synchronise, synchroniseName } from "../private-file.ts";

/** A restore's file operations. Tests interrupt a restore after any of them. */
export interface FileSteps {
  /** Creates an empty file that only its owner may read. */
  make(path: string): void;
  copy(from: string, to: string): Promise<void>;
  give(path: string, uid: number, gid: number): void;
  /** Creates a hard link; throws if the name is taken. */
  link(path: string, name: string): void;
  rename(path: string, name: string): void;
  /** Removes a database file with its logs. */
  remove(path: string): void;
  save(path: string): void;
  /** Syncs a file's directory entry to disk. */
  saveName(path: string): void;
}

export const fileSteps: FileSteps = {
  make: makePrivateFile,
  // `copyFile` would give the copy the permissions of its source.
  copy: (from, to) => pipeline(createReadStream(from), createWriteStream(to, { flags: "r+" })),
  give: chownSync,
  link: linkSync,
  rename: renameSync,
  remove: removeWithLogs,
  save: synchronise,
  saveName: synchroniseName,
};
