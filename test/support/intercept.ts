import type { Database, Work } from "../../src/store/engine/database.ts";

/**
 * From now on the database answers this unit of work through `instead`, which may run it as usual; every other unit is
 * as before. Returns what ends that.
 */
export function intercept<A extends readonly unknown[], T>(
  db: Database,
  unit: (...values: A) => Work<T>,
  instead: (usual: () => Promise<T>, ...values: A) => Promise<T>,
): () => void {
  const { read, readCached, write, writeFor, writeRelaxed } = db;
  const through =
    (usual: Database["read"]): Database["read"] =>
    (work, ...values) => {
      if ((work as unknown) !== unit) return usual(work, ...values);
      const run = () => usual(unit, ...(values as unknown as A));
      return instead(run, ...(values as unknown as A)) as never;
    };
  Object.assign(db, {
    read: through(read),
    readCached: ((how, ...rest) =>
      through((work, ...values) => readCached(how, work, ...values))(...rest)) as Database["readCached"],
    write: through(write),
    writeFor: ((key, ...rest) =>
      through((work, ...values) => writeFor(key, work, ...values))(...rest)) as Database["writeFor"],
    writeRelaxed: through(writeRelaxed),
  });
  return () => void Object.assign(db, { read, readCached, write, writeFor, writeRelaxed });
}

/** The same database, where this unit of work is done through `instead`. */
export function intercepting<A extends readonly unknown[], T>(
  db: Database,
  ...how: [unit: (...values: A) => Work<T>, instead: (usual: () => Promise<T>, ...values: A) => Promise<T>]
): Database {
  const copy = { ...db };
  intercept(copy, ...how);
  return copy;
}

const refuse = (): Promise<never> => Promise.reject(new Error("This test has no database."));

/** For tests in which every unit of work is intercepted. */
export const nowhere: Database = {
  dialect: "sqlite",
  read: refuse,
  readCached: refuse,
  endCached: () => {},
  write: refuse,
  writeFor: refuse,
  writeRelaxed: refuse,
  tryAlone: null,
  connections: () => ({ open: 0, idle: 0, waiting: 0, longestMs: 0 }),
  version: null,
  refusal: () => null,
  isDiskFull: () => false,
  close: async () => {},
};
