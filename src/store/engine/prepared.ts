import type Sqlite from "better-sqlite3";

type ToRow = (values: readonly unknown[]) => unknown;

/** A prepared statement of SQLite. */
export interface Prepared {
  readonly statement: Sqlite.Statement;
  /** Names the columns of a row; null for a statement that returns none. */
  readonly toRow: ToRow | null;
}

/**
 * One object literal, compiled from the names of a statement's columns, which this program wrote. V8 keeps an object
 * that gets more than a dozen properties one by one as a hash table: that takes five times as long to fill, and longer
 * to read.
 */
function compiledRow(names: readonly string[]): ToRow {
  const members = names.map((name, index) => `${JSON.stringify(name)}: values[${index}]`);
  return new Function("values", `return { ${members.join(", ")} };`) as ToRow;
}

/** Rows come as arrays and are named here: naming 25 columns in C++ takes twice the time of the whole query. */
export function prepare(statement: Sqlite.Statement): Prepared {
  if (!statement.reader) return { statement, toRow: null };
  const names = statement
    .raw()
    .columns()
    .map(({ name }) => name);
  // Compiled with the first row: a service prepares hundreds of statements when it starts.
  let toRow: ToRow | null = null;
  return { statement, toRow: (values) => (toRow ??= compiledRow(names))(values) };
}
