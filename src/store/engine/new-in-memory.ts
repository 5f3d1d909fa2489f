import type Sqlite from "better-sqlite3";

/** The first new database in memory of this process, with its tables and without a row of anybody. */
let first: Buffer | null = null;

/** What a new database in memory is opened from: the bytes of the first one, because its migrations take longer. */
export const newInMemory = (): string | Buffer => first ?? ":memory:";

/** Keeps the bytes of the first new one, right after its migrations. */
export function keepNewInMemory(db: Sqlite.Database): void {
  first ??= db.serialize();
}
