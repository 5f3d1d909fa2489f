import { chownSync, createReadStream, createWriteStream, linkSync, renameSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { makePrivateFile, removeWithLogs, synchronise, synchroniseName } from "../private-file.ts";

/** What a restore does to the names in a folder, step by step. A test ends a restore after any of them. */
export interface FileSteps {
  /** Makes an empty file that only its owner may read. */
  make(path: string): void;
  /** Copies a file into one that is there. */
  copy(from: string, to: string): Promise<void>;
  give(path: string, uid: number, gid: number): void;
  /** Gives a file a second name; throws where that is taken. */
  link(path: string, name: string): void;
  /** Takes the place of what has the name, in one step. */
  rename(path: string, name: string): void;
  /** Removes a database file and what SQLite put beside it. */
  remove(path: string): void;
  /** Brings a file to the disk. */
  save(path: string): void;
  /** Brings the name of a file to the disk. */
  saveName(path: string): void;
}

export const fileSteps: FileSteps = {
  make: makePrivateFile,
  // `copyFile` would give the copy the rights of its source.
  copy: (from, to) => pipeline(createReadStream(from), createWriteStream(to, { flags: "r+" })),
  give: chownSync,
  link: linkSync,
  rename: renameSync,
  remove: removeWithLogs,
  save: synchronise,
  saveName: synchroniseName,
};
