import { Client } from "pg";
import { failureCode } from "../../../core/failure-code.ts";
import { refuseShared } from "../pooler-watch.ts";
import { SharedConnections } from "../postgres-pooler.ts";

/** Longest wait for a connection or for an answer of either server, ms. */
export const replicaPatienceMs = 2000;

/** Why a replica is not used; the text goes into the log, and holds no password. */
class UnfitReplica extends Error {
  override readonly name = "UnfitReplica";
}

/** A connection for measuring only, opened again after it was lost. */
class MeasuringConnection {
  readonly #url: string;
  #client: Client | null = null;
  /** Null where the role may not read it. */
  #system: string | null = null;

  constructor(url: string) {
    this.#url = url;
  }

  get system(): string | null {
    return this.#system;
  }

  /** The only row of the answer. The connection is given up after an error. */
  async row<Row>(statement: string): Promise<Row> {
    try {
      this.#client ??= await this.#connected();
      const { rows } = await this.#client.query(statement);
      return rows[0] as Row;
    } catch (error) {
      this.end();
      throw error;
    }
  }

  async #connected(): Promise<Client> {
    const client = new Client({
      connectionString: this.#url,
      connectionTimeoutMillis: replicaPatienceMs,
      query_timeout: replicaPatienceMs,
    });
    const drop = (): void => {
      if (this.#client === client) this.#client = null;
    };
    client.on("error", drop);
    client.on("end", drop);
    try {
      await client.connect();
      this.#system = await client.query<{ system: string }>(systemOf).then(
        ({ rows }) => rows[0]?.system ?? null,
        (error: unknown) => {
          if (failureCode(error) === noRight) return null;
          throw error;
        },
      );
      return client;
    } catch (error) {
      client.connection.stream.destroy();
      throw error;
    }
  }

  /** A server that hangs would not answer to a goodbye. */
  end(): void {
    this.#client?.connection.stream.destroy();
    this.#client = null;
  }
}

/** insufficient_privilege. */
const noRight = "42501";

const systemOf = "SELECT system_identifier::text AS system FROM pg_control_system()";

interface Primary {
  readonly written: string;
  readonly timeline: number;
}

const askPrimary = `
  SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text AS written,
    ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int AS timeline`;

interface Replica {
  readonly recovering: boolean;
  readonly replayed: string | null;
  readonly timeline: number | null;
  readonly server: string;
}

/** One server, from one start to its end: an address may lead to several. */
export const serverIdentity =
  "concat_ws(' ', pg_postmaster_start_time(), inet_server_addr(), inet_server_port())";

// The timeline is null where the role may not read it, and while nothing is received.
const askReplica = `
  SELECT pg_is_in_recovery() AS recovering,
    CASE WHEN pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text END AS replayed,
    (SELECT received_tli FROM pg_stat_wal_receiver) AS timeline,
    ${serverIdentity} AS server`;

interface Positions {
  /** Before the primary was asked, ms of `performance.now()`. */
  readonly at: number;
  readonly written: bigint;
  readonly replayed: bigint;
  /** Which server answered for the replica. */
  readonly server: string;
}

/** Two connections, one to each server. */
export class ServerPair {
  readonly #primary: MeasuringConnection;
  readonly #replica: MeasuringConnection;
  readonly #replicaUrl: string;
  #isUnshared = false;
  #replayedBefore = 0n;

  constructor(primaryUrl: string, replicaUrl: string) {
    this.#primary = new MeasuringConnection(primaryUrl);
    this.#replica = new MeasuringConnection(replicaUrl);
    this.#replicaUrl = replicaUrl;
  }

  /** Throws UnfitReplica for a server that is no replica of the primary, and the driver's errors. */
  async positions(): Promise<Positions> {
    const at = performance.now();
    const { written, timeline } = await this.#primary.row<Primary>(askPrimary);
    // What the replica had replayed at the last time, the primary must have written by now.
    if (this.#replayedBefore > BigInt(written)) {
      this.#replayedBefore = 0n;
      throw new UnfitReplica("it has replayed what the primary never wrote");
    }
    const found = await this.#askReplica();
    if (!found.recovering) throw new UnfitReplica("it is no standby, or was promoted");
    if (this.#isOtherSystem() || (found.timeline !== null && found.timeline !== timeline))
      throw new UnfitReplica("it follows another server than that of TICKMARK_DATABASE_URL");
    if (found.replayed === null) throw new UnfitReplica("it has replayed nothing");
    this.#replayedBefore = BigInt(found.replayed);
    return { at, written: BigInt(written), replayed: this.#replayedBefore, server: found.server };
  }

  async #askReplica(): Promise<Replica> {
    try {
      if (!this.#isUnshared)
        await refuseShared({
          connectionString: this.#replicaUrl,
          connectionTimeoutMillis: replicaPatienceMs,
          query_timeout: replicaPatienceMs,
        });
      this.#isUnshared = true;
      return await this.#replica.row<Replica>(askReplica);
    } catch (error) {
      this.#isUnshared = false;
      throw error;
    }
  }

  #isOtherSystem(): boolean {
    const [primary, replica] = [this.#primary.system, this.#replica.system];
    return primary !== null && replica !== null && primary !== replica;
  }

  end(): void {
    this.#primary.end();
    this.#replica.end();
  }
}

/** Why `positions` failed, as a part of a sentence without a password. */
export function replicaFault(error: unknown): string {
  if (error instanceof UnfitReplica) return error.message;
  if (error instanceof SharedConnections)
    return "TICKMARK_DATABASE_READ_URL leads to a pooler that gives each transaction another connection";
  const code = failureCode(error);
  const message = error instanceof Error ? error.message : "an unknown error";
  return code === null ? message : `${message} (${code})`;
}
