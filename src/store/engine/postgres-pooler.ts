import type { ClientBase } from "pg";
import { failureCode } from "../../core/failure-code.ts";

/**
 * A pooler in transaction or statement mode gives a connection of ours another one of the database for each transaction.
 * Prepared statements, settings and locks of the session are then lost, or met by others: half of all calls failed, and
 * locks of jobs stayed behind with connections that nobody has.
 */
export class SharedConnections extends Error {
  override readonly name = "SharedConnections";
  constructor() {
    super(
      "TICKMARK_DATABASE_URL leads to a connection pooler that gives each transaction another connection (transaction or statement pooling). Tickmark needs connections of its own: set pool_mode = session for its database, or connect to PostgreSQL itself. See resources/guides/proxy.md.",
    );
  }
}

/** Rounds of statements in which a pooler that changes connections has to show it, also beside others' statements. */
const rounds = 10;

const pidOf = async (client: ClientBase): Promise<number | undefined> =>
  (await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")).rows[0]?.pid;

/** Whether nothing stands between: a pooler gives a client a number of its own, in place of that of the server's process. */
export async function isDirect(client: ClientBase): Promise<boolean> {
  // The driver keeps it for cancelling statements, and its types do not name it.
  const { processID } = client as ClientBase & { readonly processID?: number | null };
  return processID === (await pidOf(client));
}

/**
 * Whether two connections to a pooler share those of the database. With a pooler of sessions each keeps its own. Any
 * other one gives the first connection's to the second one's transaction, or another one to the next statement of the
 * first, whether it takes its idle connections in turn or the last one again.
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

/** A pooler of statements refuses a transaction as a violation of the protocol. */
const refusesTransactions = (error: unknown): boolean => failureCode(error) === "08P01";

/** Prepared statements that are unknown, or that another client prepared: nothing else than a pooler does that. */
const signs: ReadonlySet<string | null> = new Set(["26000", "42P05"]);

export const isSignOfPooler = (error: unknown): boolean => signs.has(failureCode(error));
