import { setTimeout as delay } from "node:timers/promises";
import { Pool, type PoolClient } from "pg";
import { failureCode } from "../../../core/failure-code.ts";
import type { ReplicaState, Work } from "../database.ts";
import { requireOneHost } from "../postgres-address.ts";
import { isUnavailable } from "../postgres-failures.ts";
import { planSettings } from "../postgres-plans.ts";
import { readUnit } from "../postgres-units.ts";
import { replicaPatienceMs, serverIdentity } from "./replica-servers.ts";
import type { TellOfReplica } from "./replica-log.ts";
import { ReplicaWatch } from "./replica-watch.ts";

export interface ReadReplica extends ReplicaState {
  /**
   * Runs a unit that changes nothing on the replica. Null if the replica may not be used, did not answer in
   * time, or failed in any way: then the caller asks the primary. Never rejects.
   */
  readonly tryRead: <A extends readonly unknown[], T>(
    work: (...values: A) => Work<T>,
    ...values: A
  ) => Promise<{ readonly value: T } | null>;
  close(): Promise<void>;
}

/** PostgreSQL gives up before this process does, and says so. */
const sessionSettings = [
  "DEALLOCATE ALL",
  `SET statement_timeout = ${replicaPatienceMs - 200}`,
  `SET idle_in_transaction_session_timeout = ${2 * replicaPatienceMs}`,
  ...planSettings,
].join("; ");

/** How long a replica that hangs may keep the service from stopping, ms. */
const closingMs = 500;

/** Lends connections to the one server that was measured. */
class ReplicaPool {
  readonly #pool: Pool;
  readonly #watch: ReplicaWatch;
  readonly #open = new Set<PoolClient>();
  readonly #servers = new WeakMap<PoolClient, string>();

  constructor(url: string, watch: ReplicaWatch) {
    this.#watch = watch;
    this.#pool = new Pool({
      connectionString: url,
      max: 10,
      connectionTimeoutMillis: replicaPatienceMs,
      query_timeout: replicaPatienceMs,
      pipeline: true,
    });
    // The measurement finds what is wrong; a read that loses its connection asks the primary.
    this.#pool.on("error", () => {});
    this.#pool.on("connect", (client) => void this.#open.add(client));
    this.#pool.on("remove", (client) => void this.#open.delete(client));
  }

  async with<T>(use: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    const ignore = (): void => {};
    client.on("error", ignore);
    let broken = false;
    try {
      // Behind one address there may be several replicas, of which only one was measured.
      if ((await this.#serverOf(client)) !== this.#watch.server) throw new Error("another server answered");
      return await use(client);
    } catch (error) {
      broken = true;
      throw error;
    } finally {
      client.off("error", ignore);
      client.release(broken);
    }
  }

  async #serverOf(client: PoolClient): Promise<string> {
    const known = this.#servers.get(client);
    if (known !== undefined) return known;
    await client.query(sessionSettings);
    const { rows } = await client.query<{ server: string }>(`SELECT ${serverIdentity} AS server`);
    const server = rows[0]?.server ?? "";
    this.#servers.set(client, server);
    return server;
  }

  async close(): Promise<void> {
    const over = new AbortController();
    const { signal } = over;
    await Promise.race([this.#pool.end(), delay(closingMs, undefined, { signal }).catch(() => {})]);
    over.abort();
    for (const client of this.#open) client.connection.stream.destroy();
  }
}

/** The replica is not alive or not there; a conflict or a slow statement says nothing of the next read. */
const isLost = (error: unknown): boolean => isUnavailable(error) && failureCode(error) !== "57014";

/** Rejects when the time is over; what runs then ends by its own time-outs, and its result is dropped. */
async function inTime<T>(running: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the replica did not answer in time")), replicaPatienceMs);
  });
  try {
    return await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Begins to measure a streaming replica of the primary, and reads from it as long as it is at most two
 * seconds behind. A replica that is away or unfit is no error: `tell` hears of it. Throws UnsupportedAddress.
 */
export function openReplica(primaryUrl: string, replicaUrl: string, tell: TellOfReplica): ReadReplica {
  requireOneHost(replicaUrl, "TICKMARK_DATABASE_READ_URL", "one replica");
  const watch = new ReplicaWatch(primaryUrl, replicaUrl, tell);
  const pool = new ReplicaPool(replicaUrl, watch);
  return {
    lagMs: () => watch.lagMs(),
    isUsed: () => watch.isUsed(),
    tryRead: async (work, ...values) => {
      if (!watch.isUsed()) return null;
      const unit = () => work(...values);
      const steps = unit();
      const first = steps.next();
      if (first.done) return { value: first.value };
      const started = { step: first.value, steps };
      try {
        return { value: await inTime(pool.with((client) => readUnit(client, started, unit))) };
      } catch (error) {
        if (isLost(error)) watch.noteLost(error);
        return null;
      }
    },
    close: async () => {
      watch.close();
      await pool.close();
    },
  };
}
