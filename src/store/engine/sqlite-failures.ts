import { Unavailable, type DatabaseTrouble } from "../../core/errors.ts";
import { isSqliteError } from "./sqlite-library.ts";
import { failureCode } from "../../core/failure-code.ts";

/** Another connection holds the lock, possibly for recovery. */
const lockedCodes = /^SQLITE_(BUSY|LOCKED|PROTOCOL)/;

/** The disk is full. SQLite reports that, or a failed write, sync or memory map. */
const fullCodes = /^SQLITE_(FULL|IOERR_WRITE|IOERR_FSYNC|IOERR_SHMSIZE|IOERR_TRUNCATE)$/;

/** The file's content is not what SQLite wrote: a faulty disk, or a copy of a file in use. */
const damagedCodes = /^SQLITE_(CORRUPT|NOTADB)/;

/** Other failures of the machine, not of a statement: the caller may try again. */
const awayCodes = /^SQLITE_(IOERR|CANTOPEN|NOMEM)/;

function troubleOf(code: string): DatabaseTrouble | null {
  if (lockedCodes.test(code)) return "locked";
  if (fullCodes.test(code)) return "full";
  if (code.startsWith("SQLITE_READONLY")) return "read_only";
  if (damagedCodes.test(code)) return "damaged";
  return awayCodes.test(code) ? "away" : null;
}

/** Converts a failure of the machine to Unavailable; a mistake in a statement stays as it is. */
export function asUnavailable(error: unknown): unknown {
  const trouble = isSqliteError(error) ? troubleOf(error.code) : null;
  return trouble === null ? error : new Unavailable(error, trouble);
}

/** Throws Unavailable if the database cannot be used. */
export function asAvailable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** The disk or this user's quota is full. */
const systemFullCodes: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);

/** Converts the system's error of a failed log sync. */
export const asUnsynced = (error: unknown): Unavailable =>
  new Unavailable(error, systemFullCodes.has(failureCode(error)) ? "full" : "away");

/** Whether the error is another process's lock, which may end. */
export const isBusy = (error: unknown): boolean =>
  isSqliteError(error) && error.code.startsWith("SQLITE_BUSY");

/** Time between two attempts, ms. */
const pauseMs = 5;

/**
 * Retries while the database is busy: SQLite waits for no lock while it holds one, as when several processes
 * switch a new file to WAL mode at once. It blocks the thread, which has nothing else to do at a start.
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
