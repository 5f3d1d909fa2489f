import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import { Unavailable } from "../../core/errors.ts";
import { isSqliteError } from "./sqlite-library.ts";
import { failureCode } from "../../core/failure-code.ts";

/** Linux makes a disk read-only after disk errors; SQLite has no code for that and reports a failed write. */
const failedWrite = /^SQLITE_IOERR_(WRITE|FSYNC|TRUNCATE|SHMOPEN|SHMSIZE)$/;

/** Turns a failed write into Unavailable (`read_only`) if the system says that the disk is read-only. */
export function asReadOnlyDisk(error: unknown, path: string): unknown {
  if (!isSqliteError(error) || !failedWrite.test(error.code)) return error;
  return isReadOnly(dirname(path)) ? new Unavailable(error, "read_only") : error;
}

function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (error) {
    return failureCode(error) === "EROFS";
  }
}
