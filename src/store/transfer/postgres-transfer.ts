import { Client, types, type QueryArrayResult } from "pg";
import { Unavailable } from "../../core/errors.ts";
import { appliedInPostgres } from "../migrations/applied.ts";
import { applyToPostgres } from "../engine/postgres.ts";
import {
  checkSchema,
  checkTarget,
  columnsFrom,
  listed,
  notEmpty,
  presentIn,
  quotedIdentifier,
  rowsAtATime,
  type Column,
  type Columns,
  type Row,
  type Snapshot,
  type TransferTarget,
} from "./format.ts";
import { exportedTables, ownNotes, tablesToBeEmpty, type TableName } from "./tables.ts";

const connectTimeoutMs = 5000;

const numbers = {
  getTypeParser: (type: number, format?: "text" | "binary") =>
    type === types.builtins.INT8 ? Number : types.getTypeParser(type, format ?? "text"),
} as typeof types;

/** A separate connection without time-outs for statements and transactions. */
async function connected(url: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    types: numbers,
  });
  // A broken connection is reported by the next statement.
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0");
  } catch (error) {
    await client.end();
    throw new Unavailable(error);
  }
  return client;
}

async function columnsOf(client: Client): Promise<Columns> {
  const { rows } = await client.query<{ table: string; name: string; type: string }>(
    `SELECT table_name AS "table", column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position`,
  );
  return columnsFrom(rows);
}

/** A transaction that sees one moment, read through a cursor. */
export async function postgresSnapshot(url: string): Promise<Snapshot> {
  const client = await connected(url);
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    checkSchema(await appliedInPostgres(client));
    const columns = await columnsOf(client);
    return {
      columns,
      rows: (table) => rowsOf(client, table, columns.get(table) ?? []),
      close: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** Bytes, and rows, fetched at a time at most. */
const fetchedBytes = 500_000;
const mostFetched = 250;

const weightOf = (row: Row): number =>
  row.reduce<number>(
    (sum, value) => sum + (typeof value === "string" || value instanceof Uint8Array ? value.length : 8),
    0,
  );

/** Fetches one row first, then as many as the heaviest row so far allows. */
async function* rowsOf(client: Client, table: TableName, columns: readonly Column[]): AsyncGenerator<Row> {
  await client.query(
    `DECLARE exported NO SCROLL CURSOR FOR SELECT ${listed(columns)} FROM ${quotedIdentifier(table)}`,
  );
  let heaviest = 1;
  for (let limit = 1; ;) {
    const fetched: QueryArrayResult = await client.query({
      text: `FETCH FORWARD ${limit} FROM exported`,
      rowMode: "array",
    });
    const rows = fetched.rows as Row[];
    for (const row of rows) heaviest = Math.max(heaviest, weightOf(row));
    yield* rows;
    if (rows.length < limit) break;
    limit = Math.max(1, Math.min(mostFetched, 4 * limit, Math.floor(fetchedBytes / heaviest)));
  }
  await client.query("CLOSE exported");
}

/** Locks every table against other writers, so that it stays empty until the import. */
export async function postgresTarget(url: string, version: number): Promise<TransferTarget> {
  const client = await connected(url);
  try {
    await client.query("BEGIN");
    await applyToPostgres(client, version);
    checkTarget(await appliedInPostgres(client), version);
    const columns = await columnsOf(client);
    const present = presentIn(columns, exportedTables).map(quotedIdentifier);
    await client.query(`LOCK TABLE ${present.join(", ")} IN EXCLUSIVE MODE`);
    for (const table of presentIn(columns, tablesToBeEmpty)) {
      const { rows } = await client.query(`SELECT 1 FROM ${quotedIdentifier(table)} LIMIT 1`);
      if (rows.length > 0) throw notEmpty(table);
    }
    for (const table of presentIn(columns, ownNotes))
      await client.query(`DELETE FROM ${quotedIdentifier(table)}`);
    return filling(client, columns);
  } catch (error) {
    await client.end();
    throw error;
  }
}

const filling = (client: Client, columns: Columns): TransferTarget => ({
  columns,
  insert: async (table, rows) => {
    const into = columns.get(table) ?? [];
    const row = (_: unknown, index: number): string =>
      `(${into.map((_, column) => `$${index * into.length + column + 1}`).join(", ")})`;
    const text = `INSERT INTO ${quotedIdentifier(table)} (${listed(into)}) VALUES ${rows.map(row).join(", ")}`;
    // A full INSERT has the same text each time.
    const name = rows.length === rowsAtATime ? `import ${table}` : undefined;
    await client.query({ text, values: rows.flat(), ...(name !== undefined && { name }) });
  },
  commit: async (statements) => {
    for (const statement of statements) await client.query(statement);
    await applyToPostgres(client);
    // Autovacuum analyzes the tables a minute later; until then calls would be planned for empty tables.
    await client.query("ANALYZE");
    await client.query("COMMIT");
  },
  // Closing the connection rolls back its transaction.
  close: () => client.end(),
});

/** The identity of this database. Throws for an older version, which must be upgraded first. */
export async function postgresIdentity(url: string): Promise<string> {
  const client = await connected(url);
  try {
    checkSchema(await appliedInPostgres(client));
    const { rows } = await client.query<{ id: string }>("SELECT id FROM database_identity LIMIT 1");
    const [row] = rows;
    if (row === undefined) throw new Error("The table database_identity is empty.");
    return row.id;
  } finally {
    await client.end();
  }
}
