import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Config } from "../../../app/config/config.ts";
import { fileError } from "../../start-errors/file-errors.ts";
import { note, ok, wrong, type CheckResult, type ConfigCheck } from "../check.ts";

/** Less free space than this is a note, less than a tenth of it a failure, bytes. */
const enough = 1024 ** 3;

/** Whether the folders that the service writes into have space, and take a file from this user. */
export const diskCheck: ConfigCheck = {
  name: "disk",
  run: async ({ config }) => {
    const folders = foldersOf(config);
    if (folders.length === 0) return [note("The settings name no file: the service writes none.")];
    return folders.flatMap((folder) => [writes(folder), room(folder, sizeOf(config))]);
  },
};

/** For a folder that does not exist yet, the nearest existing folder above it. */
function foldersOf({ databaseUrl, setUpCodeFile }: Config): string[] {
  const files = [databasePath(databaseUrl), setUpCodeFile].filter((file) => file !== null);
  return [...new Set(files.map((file) => existing(dirname(resolve(file)))))];
}

const databasePath = (url: string): string | null =>
  url.startsWith("sqlite:") && url !== "sqlite::memory:" ? url.slice("sqlite:".length) : null;

const existing = (folder: string): string => (existsSync(folder) ? folder : existing(dirname(folder)));

function sizeOf({ databaseUrl }: Config): number {
  const path = databasePath(databaseUrl);
  return path === null ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
}

/** Brings a file of one block to the disk, and removes it. */
function writes(folder: string): CheckResult {
  const file = join(folder, `.tickmark-check-${process.pid}`);
  let descriptor: number | null = null;
  try {
    descriptor = openSync(file, "wx", 0o600);
    writeSync(descriptor, Buffer.alloc(4096));
    fsyncSync(descriptor);
    return ok(`A file was written into ${folder}, and reached the disk.`);
  } catch (error) {
    const place = {
      what: "what is kept there",
      setting: "TICKMARK_DATABASE_URL or TICKMARK_SETUP_CODE_FILE",
    };
    const known = fileError(error, place, folder);
    if (known === null) throw error;
    return wrong(known.message);
  } finally {
    if (descriptor !== null) {
      closeSync(descriptor);
      rmSync(file);
    }
  }
}

/** An upgrade copies the database beside itself, so there must be space for a second one. */
function room(folder: string, size: number): CheckResult {
  const { bavail, bsize, ffree, files } = statfsSync(folder);
  const free = bavail * bsize;
  const words = `${gibibytes(free)} GiB are free for ${folder}`;
  if (files > 0 && ffree === 0)
    return wrong(`No more files can be made in ${folder}: its file system has no free inode.`);
  if (free < enough / 10 || free < size)
    return wrong(`${words}, too little: an upgrade copies the database (${gibibytes(size)} GiB). Make room.`);
  return free < enough ? note(`${words}. Make room soon.`) : ok(`${words}.`);
}

const gibibytes = (bytes: number): string => (bytes / 1024 ** 3).toFixed(bytes < enough ? 2 : 0);
