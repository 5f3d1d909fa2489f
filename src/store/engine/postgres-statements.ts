import type { Client, ClientBase } from "pg";
import type { Result, Step } from "./database.ts";
import type { MergedStatement } from "./merged.ts";
import { bind, valueAt, type Values } from "./statement.ts";
import type { Value } from "./table.ts";

type AnyQuery = Step["query"];

/** Runs one statement. */
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

/** Statements that leave in one packet: each by itself is a call of the system, and wakes the database. */
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
 * Runs one statement for all of these values; answers the result of each run. `skips`: finds no locked row. It is on its
 * way when this returns, as that of `execute` is, once `learnTypes` has been awaited for the query.
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

/** Names the columns of a row behind the number of its run. */
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

/** Asks PostgreSQL which types it gives the places of a query: once in the life of a process. */
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

/** An array as PostgreSQL reads it from a text. */
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
