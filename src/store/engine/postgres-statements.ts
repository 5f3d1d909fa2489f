import type { Client, ClientBase } from "pg";
import type { Result, Step } from "./database.ts";
import type { MergedStatement } from "./merged.ts";
import { bind, valueAt, type Values } from "./statement.ts";
import type { Value } from "./table.ts";

type AnyQuery = Step["query"];

export async function execute(client: ClientBase, { query, values }: Step): Promise<Result> {
  const statement = query.statements.postgres;
  const { rows, rowCount } = await client.query<Record<string, unknown>>({
    name: query.name,
    text: statement.sql,
    values: bind(statement, values),
    ...(query.asArrays && { rowMode: "array" }),
  });
  return { rows, changes: rowCount ?? 0 };
}

/** Sends statements in one packet: each packet costs a system call and wakes the database. */
export function sentTogether<T>(client: Client, send: () => T): T {
  const { stream } = client.connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}

const placed = ({ places }: MergedStatement, index: number, values: Values): Value =>
  valueAt(places[index] ?? null, values);

/**
 * Runs one merged statement for many sets of values. `skips`: omits locked rows. Like `execute`, it has sent
 * the statement when it returns; `learnTypes` must have been awaited for the query before.
 */
export function executeMerged(
  client: ClientBase,
  query: AnyQuery,
  runs: readonly Values[],
  skips: boolean,
): Promise<Result[]> {
  const { merged } = query.statements;
  const known = types.get(query);
  if (merged === null || known === undefined)
    throw new Error(`The statement cannot be run for many values: ${query.name}`);
  const answer = client.query<unknown[]>({
    name: `${query.name}${skips ? "s" : "m"}`,
    text: textFor(query, merged, known, skips),
    values: merged.places.map((_, index) => arrayOf(runs.map((values) => placed(merged, index, values)))),
    rowMode: "array",
  });
  return answer.then(({ rows, fields }) => {
    const found = runs.map((): unknown[] => []);
    const toRow = query.asArrays ? (row: unknown[]) => row.slice(1) : named(fields.map(({ name }) => name));
    for (const row of rows) found[Number(row[0]) - 1]?.push(toRow(row));
    return found.map((mine) => ({ rows: mine, changes: mine.length }));
  });
}

/** Makes an object from a row, without its first column (the number of the run). */
const named =
  (names: readonly string[]) =>
  (values: readonly unknown[]): unknown => {
    const row: Record<string, unknown> = {};
    for (let index = 1; index < names.length; index += 1) row[names[index] as string] = values[index];
    return row;
  };

const texts = new Map<string, string>();

function textFor(query: AnyQuery, merged: MergedStatement, types: readonly string[], skips: boolean): string {
  const name = `${query.name}${skips ? "s" : "m"}`;
  let text = texts.get(name);
  if (text === undefined) {
    text = merged.text(types, skips);
    texts.set(name, text);
  }
  return text;
}

const types = new WeakMap<AnyQuery, readonly string[]>();

/** Asks PostgreSQL for the types of a query's placeholders, once per process. */
export async function learnTypes(client: ClientBase, query: AnyQuery): Promise<void> {
  if (types.has(query)) return;
  const name = `${query.name}t`;
  const parts = (await client.query(
    `PREPARE ${name} AS ${query.statements.postgres.sql};
     SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = '${name}';
     DEALLOCATE ${name}`,
  )) as unknown as readonly { rows: readonly { types: readonly string[] }[] }[];
  types.set(query, parts[1]?.rows[0]?.types ?? []);
}

const special = /["\\]/gu;

/** The text format of a PostgreSQL array: `{1,"a",NULL}`. */
function arrayOf(values: readonly Value[]): string {
  let text = "{";
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? null;
    if (index > 0) text += ",";
    if (value === null) text += "NULL";
    else if (typeof value === "number") text += value;
    else if (typeof value === "string") text += `"${value.replaceAll(special, "\\$&")}"`;
    else text += `"\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex")}"`;
  }
  return `${text}}`;
}
