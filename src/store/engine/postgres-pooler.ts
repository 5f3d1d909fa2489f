import type { ClientBase } from "pg";
import { failureCode } from "../../core/failure-code.ts";

/**
 * Thrown if a pooler (transaction or statement mode) gives each transaction another database connection.
 * Prepared statements, settings and locks are then lost or meet another client: half of all calls failed, and
 * job locks stayed on connections that nobody had.
 */
export class SharedConnections extends Error {
  override readonly name = "SharedConnections";
  constructor() {
    super(
      "TICKMARK_DATABASE_URL leads to a connection pooler that gives each transaction another connection (transaction or statement pooling). Tickmark needs connections of its own: set pool_mode = session for its database, or connect to PostgreSQL itself. See resources/guides/proxy.md.",
    );
  }
}

/** Comparisons of two connections, enough for a sharing pooler to show itself, even under other load. */
const rounds = 10;

const pidOf = async (client: ClientBase): Promise<number | undefined> =>
  (await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")).rows[0]?.pid;

/** Whether no pooler stands between. A pooler reports a process id of its own, not the server process's. */
export async function isDirect(client: ClientBase): Promise<boolean> {
  // The driver keeps `processID` for cancelling statements; its types omit it.
  const { processID } = client as ClientBase & { readonly processID?: number | null };
  return processID === (await pidOf(client));
}

/**
 * Whether two client connections to a pooler share database connections. A session pooler never shares.
 * Others give the first one's connection to the second one's transaction, or another connection to the first
 * one's next statement; each round tests both.
 */
export async function isShared(one: ClientBase, other: ClientBase): Promise<boolean> {
  for (let round = 0; round < rounds; round += 1) {
    const own = await pidOf(one);
    if ((await pidOf(one)) !== own) return true;
    try {
      await other.query("BEGIN");
    } catch (error) {
      if (refusesTransactions(error)) return true;
      throw error;
    }
    const isTaken = (await pidOf(other)) === own || (await pidOf(one)) !== own;
    await other.query("COMMIT");
    if (isTaken) return true;
  }
  return false;
}

/** A statement pooler refuses BEGIN as a protocol violation. */
const refusesTransactions = (error: unknown): boolean => failureCode(error) === "08P01";

/** Prepared statement unknown, or prepared by another client: only a pooler causes these. */
const signs: ReadonlySet<string | null> = new Set(["26000", "42P05"]);

export const isSignOfPooler = (error: unknown): boolean => signs.has(failureCode(error));
