import type { Compilable } from "kysely";
import type { Work, Result } from "./database.ts";
import { query, type Builder, type Dialect, type Query } from "./query.ts";
import type { Values } from "./statement.ts";
import type { Value } from "./table.ts";

/** Rows per statement, largest first: 1,000 rows take ten statements, on PostgreSQL ten round trips. */
const sizes = [100, 10, 1] as const;

interface Sized {
  readonly size: number;
  readonly query: Query<Values, unknown>;
}

interface Bulk<Row extends Values, R> {
  readonly columns: readonly (keyof Row & string)[];
  readonly sized: readonly Sized[];
  /** Exists only for the compiler. */
  readonly types?: { row: Row; returned: R };
}

/** Declares a bulk insertion; `build` gets one row of placeholders for each row of the statement. */
export const bulk =
  <Row extends Values>(columns: readonly (keyof Row & string)[]) =>
  <R>(build: (db: Builder, rows: Row[], dialect: Dialect) => Compilable<R>): Bulk<Row, R> => ({
    columns,
    sized: sizes.map((size) => ({
      size,
      query: query<Record<string, Value>>()((db, $, dialect) => build(db, rowsOf($, columns, size), dialect)),
    })),
  });

/** Placeholders are numbered row by row. V8 reads an object with such keys as fast as an array. */
function rowsOf<Row extends Values>(
  $: Readonly<Record<string, Value>>,
  columns: readonly string[],
  size: number,
): Row[] {
  const row = (index: number) =>
    columns.map((column, at) => [column, $[index * columns.length + at]] as const);
  return Array.from({ length: size }, (_, index) => Object.fromEntries(row(index)) as Row);
}

/** Inserts the rows in order. `returned`: rows from RETURNING; `written`: the number of inserted rows. */
export function* insertAll<Row extends Values, R>(
  { columns, sized }: Bulk<Row, R>,
  rows: readonly Row[],
): Work<{ readonly returned: R[]; readonly written: number }> {
  const returned: R[] = [];
  let written = 0;
  let start = 0;
  for (const { size, query: statement } of sized) {
    for (; rows.length - start >= size; start += size) {
      const values: Record<string, Value> = {};
      let place = 0;
      for (let index = start; index < start + size; index += 1) {
        for (const column of columns) {
          values[place] = rows[index]?.[column] ?? null;
          place += 1;
        }
      }
      const result: Result = yield { query: statement, values };
      returned.push(...(result.rows as R[]));
      written += result.changes;
    }
  }
  return { returned, written };
}
