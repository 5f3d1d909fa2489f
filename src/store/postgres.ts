import { Pool, types, type ClientBase, type PoolClient } from "pg";
import { Unavailable } from "../core/errors.ts";
import { Undo, type Database, type Durability, type Work } from "./database.ts";
import { migrations } from "./migrations/registry.ts";
import { bind } from "./query.ts";

/** int8 fits a double up to 2^53, which no count or instant of ours passes. */
types.setTypeParser(types.builtins.INT8, Number);

/** Transactions that met another one and may simply be run again. */
const retryable = new Set(["40001", "40P01"]);
const attempts = 5;

const migrationLock = 7_461_636;

/** What a lost or refused connection looks like; a statement's own mistake has an SQLSTATE of another class. */
function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = "code" in error ? String(error.code) : "";
  const lost = code === "" && /connect|terminat|timeout/i.test(error.message);
  return lost || /^(ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|08|53|57P|58)/.test(code)
    ? new Unavailable(error)
    : error;
}

async function finish<T>(client: ClientBase, work: () => Work<T>): Promise<T> {
  const steps = work();
  let step = steps.next();
  while (!step.done) {
    const { query, values } = step.value;
    const statement = query.statements.postgres;
    const { rows, rowCount } = await client.query<Record<string, unknown>>({
      name: query.name,
      text: statement.sql,
      values: bind(statement, values),
    });
    step = steps.next({ rows, changes: rowCount ?? 0 });
  }
  return step.value;
}

const begin: Record<Durability, string> = {
  saved: "BEGIN",
  counted: "BEGIN; SET LOCAL synchronous_commit = off",
};

async function transact<T>(client: ClientBase, durability: Durability, work: () => Work<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    await client.query(begin[durability]);
    try {
      const value = await finish(client, work);
      await client.query("COMMIT");
      return value;
    } catch (error) {
      await client.query("ROLLBACK");
      if (error instanceof Undo) return error.value as T;
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (attempt >= attempts || !retryable.has(code)) throw error;
    }
  }
}

/** Connects to a PostgreSQL database and brings its schema up to date. */
export async function openPostgres(url: string, onError: (error: Error) => void): Promise<Database> {
  const pool = new Pool({ connectionString: url, max: 10, connectionTimeoutMillis: 5000 });
  // An idle connection that dies must not end the process; the next query opens another.
  pool.on("error", onError);
  const withClient = async <T>(use: (client: PoolClient) => Promise<T>): Promise<T> => {
    let client: PoolClient | null = null;
    let broken = false;
    try {
      client = await pool.connect();
      return await use(client);
    } catch (error) {
      const told = asUnavailable(error);
      broken = told instanceof Unavailable;
      throw told;
    } finally {
      client?.release(broken);
    }
  };
  await withClient(migrate);
  return {
    dialect: "postgres",
    read: (work) => withClient((client) => finish(client, work)),
    write: (durability, work) => withClient((client) => transact(client, durability, work)),
    close: () => pool.end(),
  };
}

async function migrate(client: ClientBase): Promise<void> {
  await client.query("BEGIN");
  await client.query("SELECT pg_advisory_xact_lock($1)", [migrationLock]);
  await client.query(
    "CREATE TABLE IF NOT EXISTS schema_migration (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
  );
  const { rows } = await client.query<{ id: number }>("SELECT id FROM schema_migration");
  const applied = new Set(rows.map(({ id }) => id));
  for (const { id, name, statements } of migrations) {
    if (applied.has(id)) continue;
    for (const statement of statements) await client.query(statement.replace("{{clustered}}", ""));
    await client.query("INSERT INTO schema_migration (id, name) VALUES ($1, $2)", [id, name]);
  }
  await client.query("COMMIT");
}
