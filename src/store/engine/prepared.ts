import type Sqlite from "better-sqlite3";

type ToRow = (values: readonly unknown[]) => unknown;

export interface Prepared {
  readonly statement: Sqlite.Statement;
  /** Makes an object from a row's values; null if the statement returns no rows. */
  readonly toRow: ToRow | null;
}

/**
 * Compiles one object literal from the column names, which this program wrote. V8 turns an object that gets
 * more than a dozen properties one by one into a hash table, which takes five times as long to fill, and
 * longer to read.
 */
function compiledRow(names: readonly string[]): ToRow {
  const members = names.map((name, index) => `${JSON.stringify(name)}: values[${index}]`);
  return new Function("values", `return { ${members.join(", ")} };`) as ToRow;
}

/** Rows come as arrays and are named here: naming 25 columns in C++ takes twice as long as the query. */
export function prepare(statement: Sqlite.Statement): Prepared {
  if (!statement.reader) return { statement, toRow: null };
  const names = statement
    .raw()
    .columns()
    .map(({ name }) => name);
  // Compiled with the first row, because a service prepares hundreds of statements at its start.
  let toRow: ToRow | null = null;
  return { statement, toRow: (values) => (toRow ??= compiledRow(names))(values) };
}
