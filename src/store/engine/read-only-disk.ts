import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import { Unavailable } from "../../core/errors.ts";
import { isSqliteError } from "./sqlite-library.ts";
import { failureCode } from "../../core/failure-code.ts";

/** SQLite has no word for a disk that was made read-only under it, as Linux does after errors of the disk: a write failed. */
const failedWrite = /^SQLITE_IOERR_(WRITE|FSYNC|TRUNCATE|SHMOPEN|SHMSIZE)$/;

/** The same failure, as a write-protected disk where the system says that it is one. */
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
