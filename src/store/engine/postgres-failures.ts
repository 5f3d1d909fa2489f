import { Unavailable, type DatabaseTrouble } from "../../core/errors.ts";
import { failureCode } from "../../core/failure-code.ts";

/**
 * Failures of the machine, not of a statement: the network, and by SQLSTATE connection (08), standby took
 * over (25006), resources (53), lock time-out (55P03), operator (57), files (58), damage (XX001, XX002).
 */
const unavailableCodes =
  /^(ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|EHOST|ENET|ENOENT|EAI_|08|25006|53|55P03|57|58|XX00[12])/;

/** Errors that the driver raises itself have no code. */
const driverLost =
  /^(Connection terminated|Client (has encountered a connection error|was closed)|timeout e(xceeded|xpired)|Query read timeout)/;

export const isUnavailable = (error: unknown): boolean =>
  error instanceof Error &&
  (unavailableCodes.test(failureCode(error) ?? "") ||
    (failureCode(error) === null && driverLost.test(error.message)));

/** disk_full, lock_not_available, read_only_sql_transaction, data_corrupted, index_corrupted. */
const troubles: Readonly<Record<string, DatabaseTrouble>> = {
  53100: "full",
  "55P03": "locked",
  25006: "read_only",
  XX001: "damaged",
  XX002: "damaged",
};

export const unavailableBy = (error: unknown): Unavailable =>
  new Unavailable(error, troubles[failureCode(error) ?? ""]);

/** Conflicts between transactions, which may simply run again: serialization_failure, deadlock_detected. */
const retryable: ReadonlySet<string | null> = new Set(["40001", "40P01"]);

export const isRetryable = (error: unknown): boolean => retryable.has(failureCode(error));

/** An earlier statement of the transaction failed: in_failed_sql_transaction. */
export const failedBefore = (error: unknown): boolean => failureCode(error) === "25P02";
