import { Client, types, type ClientBase } from "pg";
import { Unavailable } from "../../core/errors.ts";
import { Undo, type Database, type Durability, type Work } from "./database.ts";
import { GroupedWrites } from "./grouped-writes.ts";
import { MergedReads } from "./merged-reads.ts";
import { appliedInPostgres, refuseForeign } from "../migrations/applied.ts";
import { inDialect } from "../migrations/migration.ts";
import { migrations, newestMigration } from "../migrations/registry.ts";
import { noteUpgrade, upgradeOf } from "../migrations/upgrade.ts";
import { alone } from "./postgres-alone.ts";
import { isRetryable, isUnavailable, unavailableBy } from "./postgres-failures.ts";
import { connectTimeoutMs, openPool } from "./postgres-pool.ts";
import type { TellOperator } from "./file-watch.ts";
import { withReadCache } from "./read-cache.ts";
import { sentTogether } from "./postgres-statements.ts";
import { finish, readInTransaction, readUnit } from "./postgres-units.ts";

/** int8 values are read as doubles, exact up to 2^53, which no count or instant here exceeds. */
types.setTypeParser(types.builtins.INT8, Number);

/** Most runs of a transaction that conflicts with another one. */
const attempts = 5;

const migrationLock = 7_461_636;

const begin: Record<Durability, string> = {
  saved: "BEGIN",
  relaxed: "BEGIN; SET LOCAL synchronous_commit = off",
};

/** Counters need not wait for BEGIN: it goes out with the first statement. */
async function beginAndFinish<T>(client: Client, work: () => Work<T>): Promise<T> {
  const [begun, finished] = sentTogether(client, () => [client.query(begin.relaxed), finish(client, work)]);
  const [, value] = await Promise.all([begun, finished]);
  return value;
}

async function transact<T>(client: Client, durability: Durability, work: () => Work<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const isRelaxed = durability === "relaxed";
    if (!isRelaxed) await client.query(begin.saved);
    try {
      const value = await (isRelaxed ? beginAndFinish(client, work) : finish(client, work));
      await client.query("COMMIT");
      return value;
    } catch (error) {
      // A lost connection is closed, which rolls everything back.
      if (isUnavailable(error)) throw error;
      await client.query("ROLLBACK");
      if (error instanceof Undo) return error.value as T;
      if (!isRetryable(error)) throw error;
      if (attempt >= attempts) throw new Unavailable(error, "locked");
    }
  }
}

/**
 * Connects to PostgreSQL and brings the schema up to date. Throws SharedConnections if a pooler shares
 * connections; `tell` hears of a pooler that starts to share later.
 */
export async function openPostgres(
  url: string,
  onError: (error: Error) => void,
  tell: TellOperator = () => {},
  signal?: AbortSignal,
): Promise<Database> {
  const { pool, pooler, withClient, longestWaitMs, close } = await openPool(url, onError, tell);
  try {
    if (!(await withClient(isUpToDate))) await migrate(url, onError, signal);
  } catch (error) {
    await close();
    throw error;
  }
  const write = <T>(durability: Durability, work: () => Work<T>): Promise<T> =>
    withClient((client) => transact(client, durability, work));
  const groups = new GroupedWrites(withClient);
  const reads = new MergedReads(withClient);
  let closed: Promise<void> | null = null;
  return withReadCache({
    dialect: "postgres",
    read: async (work, ...values) => {
      const unit = () => work(...values);
      const steps = unit();
      const first = steps.next();
      if (first.done) return first.value;
      const started = { step: first.value, steps };
      const alone = () => withClient((client) => readUnit(client, started, unit));
      const again = () => withClient((client) => readInTransaction(client, unit));
      return reads.join(started, alone, again) ?? alone();
    },
    write: (work, ...values) => write("saved", () => work(...values)),
    writeFor: (key, work, ...values) => {
      const unit = () => work(...values);
      return groups
        .add(key, unit, () => write("saved", unit))
        .catch((error: unknown) => {
          throw pooler.explained(error);
        });
    },
    writeRelaxed: (work, ...values) => write("relaxed", () => work(...values)),
    tryAlone: (name, work) => withClient((client) => alone(client, name, work, () => void pooler.look())),
    connections: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount + groups.waiting,
      longestMs: Math.max(longestWaitMs(), groups.longestWaitMs),
    }),
    version: null,
    refusal: () => pooler.refusal,
    close: () => (closed ??= groups.end().then(close)),
  });
}

/** Whether all migrations are applied, as at most starts. A pooled connection is enough for this question. */
async function isUpToDate(client: ClientBase): Promise<boolean> {
  const applied = await appliedInPostgres(client);
  refuseForeign(applied);
  return migrations.every(({ id }) => applied.has(id));
}

/**
 * Waits without a time-out for another process that migrates, and for the migration itself. If `signal`
 * aborts, the running statement is cancelled, everything is rolled back, and the abort reason is thrown.
 */
async function migrate(url: string, onError: (error: Error) => void, signal?: AbortSignal): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  client.on("error", onError);
  let pid: number | null = null;
  const cancel = (): void => void cancelStatement(url, pid).catch(onError);
  try {
    await client.connect();
    pid = (await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")).rows[0]?.pid ?? null;
    signal?.throwIfAborted();
    signal?.addEventListener("abort", cancel, { once: true });
    await client.query("BEGIN");
    await applyToPostgres(client, newestMigration(), signal);
    signal?.throwIfAborted();
    await client.query("COMMIT");
  } catch (error) {
    signal?.throwIfAborted();
    throw isUnavailable(error) ? unavailableBy(error) : error;
  } finally {
    signal?.removeEventListener("abort", cancel);
    await client.end();
  }
}

/** Cancels, over a second connection, the statement that another connection waits for. */
async function cancelStatement(url: string, pid: number | null): Promise<void> {
  const other = new Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  await other.connect();
  try {
    await other.query("SELECT pg_cancel_backend($1)", [pid]);
  } finally {
    await other.end();
  }
}

/** Applies missing migrations up to `upTo`, inside the caller's transaction, one process at a time. */
export async function applyToPostgres(
  client: ClientBase,
  upTo: number = newestMigration(),
  signal?: AbortSignal,
): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock($1)", [migrationLock]);
  const applied = await appliedInPostgres(client);
  refuseForeign(applied);
  await client.query(
    "CREATE TABLE IF NOT EXISTS schema_migration (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
  );
  const wanted = migrations.filter(({ id }) => id <= upTo);
  for (const { id, name, statements } of wanted) {
    if (applied.has(id)) continue;
    signal?.throwIfAborted();
    for (const statement of statements) await client.query(inDialect(statement, "postgres"));
    await client.query("INSERT INTO schema_migration (id, name) VALUES ($1, $2)", [id, name]);
  }
  const upgrade = upgradeOf(applied, wanted);
  if (upgrade)
    await client.query(
      noteUpgrade((number) => `$${number}`),
      upgrade,
    );
}
