import type { Histogram, Counter } from "prom-client";
import { Unavailable } from "../core/errors.ts";
import type { Database } from "../store/engine/database.ts";

export type DatabaseOperation = "read" | "write" | "write_relaxed";

export interface DatabaseMetrics {
  /** From the call to its result, including the wait for a connection or a commit, s. */
  readonly seconds: Histogram<"operation">;
  readonly failures: Counter<"operation">;
}

/** Measures every unit of work; only failures of the database itself count as failures. */
export function meteredDatabase(db: Database, { seconds, failures }: DatabaseMetrics): Database {
  const timed = <A extends readonly unknown[], T>(
    operation: DatabaseOperation,
    run: (...given: A) => Promise<T>,
  ): ((...given: A) => Promise<T>) => {
    const taken = seconds.labels(operation);
    const failed = failures.labels(operation);
    return async (...given) => {
      const begun = performance.now();
      try {
        return await run(...given);
      } catch (error) {
        if (error instanceof Unavailable) failed.inc();
        throw error;
      } finally {
        taken.observe((performance.now() - begun) / 1000);
      }
    };
  };
  return {
    ...db,
    read: timed("read", db.read) as Database["read"],
    write: timed("write", db.write) as Database["write"],
    writeFor: timed("write", db.writeFor) as Database["writeFor"],
    writeRelaxed: timed("write_relaxed", db.writeRelaxed) as Database["writeRelaxed"],
  };
}
