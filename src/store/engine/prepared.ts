import type Sqlite from "better-sqlite3";

/** A prepared statement of SQLite. */
export interface Prepared {
  readonly statement: Sqlite.Statement;
  /** Names the columns of a row; null for a statement that returns none. */
  readonly toRow: ((values: unknown[]) => unknown) | null;
}

/** Rows come as arrays and are named here: naming 25 columns in C++ takes twice the time of the whole query. */
export function prepare(statement: Sqlite.Statement): Prepared {
  if (!statement.reader) return { statement, toRow: null };
  const names = statement
    .raw()
    .columns()
    .map(({ name }) => name);
  const toRow = (values: unknown[]): unknown => {
    const row: Record<string, unknown> = {};
    for (let index = 0; index < names.length; index += 1) row[names[index] as string] = values[index];
    return row;
  };
  return { statement, toRow };
}
