import type { RawDatabase } from "../store/engine/raw-database.ts";

/** The numbers from 0, as many, under the name `n` with the column `i`. */
export const numbers = (count: number): string =>
  `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`;

async function columnsOf(raw: RawDatabase, table: string): Promise<string[]> {
  const from = raw.dialect === "sqlite" ? `pragma_table_info('${table}')` : "information_schema.columns";
  const name = raw.dialect === "sqlite" ? "name" : "column_name AS name";
  const where =
    raw.dialect === "sqlite" ? "" : `WHERE table_name = '${table}' AND table_schema = current_schema()`;
  return (await raw.rows(`SELECT ${name} FROM ${from} ${where}`)).map((row) => String(row["name"]));
}

/**
 * Copies the first row of a table that a condition finds, so many times, with other values in some columns: expressions
 * in which `i` is the number of the copy, from 0. One statement for what takes a transaction each by the service.
 */
export async function copyRows(
  raw: RawDatabase,
  table: string,
  count: number,
  changed: Readonly<Record<string, string>>,
  condition = "TRUE",
): Promise<void> {
  const columns = await columnsOf(raw, table);
  const values = columns.map((column) => changed[column] ?? `x."${column}"`);
  await raw.run(`INSERT INTO "${table}" (${columns.map((column) => `"${column}"`).join(", ")}) ${numbers(count)}
      SELECT ${values.join(", ")} FROM (SELECT * FROM "${table}" WHERE ${condition} LIMIT 1) AS x, n`);
}
