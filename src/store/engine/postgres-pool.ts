import { Pool, type PoolClient } from "pg";
import { Unavailable } from "../../core/errors.ts";
import type { TellOperator } from "./file-watch.ts";
import { requireOneHost } from "./postgres-address.ts";
import { isUnavailable, unavailableBy } from "./postgres-failures.ts";
import { planSettings } from "./postgres-plans.ts";
import { isSignOfPooler } from "./postgres-pooler.ts";
import { PoolerWatch, refuseShared } from "./pooler-watch.ts";

/** A longer wait for a connection or an answer means that the machine is gone, ms. */
export const connectTimeoutMs = 5000;
const answerTimeoutMs = 15_000;

/**
 * PostgreSQL gives up a little before this process does: an abandoned statement would keep its connection and
 * locks. Keepalives detect a client machine that vanished, whose locks would otherwise stay for hours.
 */
const sessionSettings = [
  // A pooler may pass on a session in which others prepared statements of the same names.
  "DEALLOCATE ALL",
  `SET statement_timeout = ${answerTimeoutMs - 1000}`,
  `SET lock_timeout = ${answerTimeoutMs - 3000}`,
  `SET idle_in_transaction_session_timeout = ${2 * answerTimeoutMs}`,
  "SET tcp_keepalives_idle = 30",
  "SET tcp_keepalives_interval = 10",
  "SET tcp_keepalives_count = 3",
  ...planSettings,
].join("; ");

/** Lends a pooled connection. Throws Unavailable if none can be had, or if a pooler shares connections. */
export type WithClient = <T>(use: (client: PoolClient) => Promise<T>) => Promise<T>;

export interface OpenPool {
  readonly pool: Pool;
  readonly pooler: PoolerWatch;
  readonly withClient: WithClient;
  /** How long the first that waits for a connection does so, ms. */
  readonly longestWaitMs: () => number;
  close(): Promise<void>;
}

/** Promises under way, in the order in which they end. */
class WaitsInOrder {
  readonly #underWay = new Set<{ readonly since: number }>();

  async during<T>(waiting: Promise<T>): Promise<T> {
    const own = { since: performance.now() };
    this.#underWay.add(own);
    try {
      return await waiting;
    } finally {
      this.#underWay.delete(own);
    }
  }

  get longestMs(): number {
    for (const { since } of this.#underWay) return performance.now() - since;
    return 0;
  }
}

/**
 * Throws SharedConnections if a pooler shares connections. `tell` hears of a pooler that starts to share
 * later, and `onError` of connections lost while idle.
 */
export async function openPool(
  url: string,
  onError: (error: Error) => void,
  tell: TellOperator,
): Promise<OpenPool> {
  requireOneHost(url);
  const reached = await refuseShared({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: answerTimeoutMs,
  }).catch((error: unknown) => {
    throw isUnavailable(error) ? unavailableBy(error) : error;
  });
  const pool = new Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: answerTimeoutMs,
    // Statements are sent before the results of earlier ones arrive.
    pipeline: true,
  });
  // A lost connection must not end the process, idle or not; the next call opens another.
  pool.on("error", onError);
  /** The value of `pooler.changes` when each connection was opened. */
  const openedAt = new WeakMap<object, number>();
  pool.on("connect", (client) => {
    openedAt.set(client, pooler.changes);
    client.query(sessionSettings).catch(onError);
    // If this connection is lost, its user sees the error.
    pooler.connected(client).catch(() => {});
  });
  const waits = new WaitsInOrder();
  /** Takes a connection, and closes those opened before the pooler's last change. */
  const taken = async (): Promise<PoolClient> => {
    for (;;) {
      const client = await waits.during(pool.connect());
      if (openedAt.get(client) === pooler.changes) return client;
      client.release(true);
    }
  };
  const withAnyClient = async <T>(use: (client: PoolClient) => Promise<T>): Promise<T> => {
    let client: PoolClient | null = null;
    let broken = false;
    try {
      client = await taken();
      client.on("error", onError);
      return await use(client);
    } catch (error) {
      broken = error instanceof Unavailable || isUnavailable(error) || isSignOfPooler(error);
      throw isUnavailable(error) ? unavailableBy(error) : error;
    } finally {
      client?.off("error", onError);
      client?.release(broken);
    }
  };
  const pooler = new PoolerWatch(
    reached.isDirect,
    (use) => withAnyClient((one) => withAnyClient((other) => use(one, other))),
    tell,
  );
  const withClient: WithClient = async (use) => {
    if (pooler.refusal !== null) throw pooler.refusal;
    return withAnyClient(use).catch((error: unknown) => {
      throw pooler.explained(error);
    });
  };
  const close = async (): Promise<void> => {
    await pooler.close();
    await pool.end();
  };
  return { pool, pooler, withClient, longestWaitMs: () => waits.longestMs, close };
}
