import { Unavailable, type DatabaseTrouble } from "../../core/errors.ts";
import { isSqliteError } from "./sqlite-library.ts";
import { failureCode } from "../../core/failure-code.ts";

/** Another connection holds the lock, or holds it for recovery. */
const lockedCodes = /^SQLITE_(BUSY|LOCKED|PROTOCOL)/;

/** No room on the disk: SQLite tells it as itself, or as a write, sync or memory map that failed. */
const fullCodes = /^SQLITE_(FULL|IOERR_WRITE|IOERR_FSYNC|IOERR_SHMSIZE|IOERR_TRUNCATE)$/;

/** The file holds something else than SQLite wrote: a disk that loses data, or a copy made of it in use. */
const damagedCodes = /^SQLITE_(CORRUPT|NOTADB)/;

/** Other failures of the machine rather than of a statement: the caller may try again. */
const awayCodes = /^SQLITE_(IOERR|CANTOPEN|NOMEM)/;

function troubleOf(code: string): DatabaseTrouble | null {
  if (lockedCodes.test(code)) return "locked";
  if (fullCodes.test(code)) return "full";
  if (code.startsWith("SQLITE_READONLY")) return "read_only";
  if (damagedCodes.test(code)) return "damaged";
  return awayCodes.test(code) ? "away" : null;
}

/** The same failure as callers know it; a mistake in a statement stays what it is. */
export function asUnavailable(error: unknown): unknown {
  const trouble = isSqliteError(error) ? troubleOf(error.code) : null;
  return trouble === null ? error : new Unavailable(error, trouble);
}

/** What the database answers; throws Unavailable where it cannot be used. */
export function asAvailable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** No room on the disk, or none for this user, as the system tells it. */
const systemFullCodes: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);

/** The system's error when the log could not be brought to the disk. */
export const asUnsynced = (error: unknown): Unavailable =>
  new Unavailable(error, systemFullCodes.has(failureCode(error)) ? "full" : "away");

/** Whether another process's lock was met, which can be waited for. */
export const isBusy = (error: unknown): boolean =>
  isSqliteError(error) && error.code.startsWith("SQLITE_BUSY");

/** Between two attempts, ms. */
const pauseMs = 5;

/**
 * SQLite waits for no lock while it holds one itself, as where several processes make a new file a WAL file at once:
 * then it is tried again here, with the thread kept, for it has nothing else to do yet.
 */
export function patiently(patienceMs: number, work: () => unknown): void {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      work();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}
