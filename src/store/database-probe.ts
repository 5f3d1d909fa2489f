import { plannedUpgrade, type PlannedUpgrade } from "./migrations/planned.ts";
import { openSqliteConnection } from "./engine/sqlite-library.ts";

export interface DatabaseProbe extends PlannedUpgrade {
  /** The database server's time, and when it was asked and answered, ms; null for a file. */
  readonly clock: { readonly asked: number; readonly serverTime: number; readonly answered: number } | null;
  readonly isWritable: boolean;
}

/** Changes nothing. Throws if the database cannot be opened or written to. */
export async function probeDatabase(url: string): Promise<DatabaseProbe> {
  const planned = await plannedUpgrade(url);
  if (!url.startsWith("sqlite:")) return { ...planned, ...(await probePostgres(url)) };
  // Starting a write finds a file that is locked or write-protected.
  if (planned.current !== null) beginWrite(url.slice("sqlite:".length));
  return { ...planned, clock: null, isWritable: true };
}

function beginWrite(path: string): void {
  const db = openSqliteConnection(path, { fileMustExist: true, timeout: 1000 });
  try {
    db.exec("BEGIN IMMEDIATE; ROLLBACK");
  } finally {
    db.close();
  }
}

/** Why a replica would not be read; null if it would be once it is near enough. Changes nothing. Both are URLs. */
export async function probeReplica(primaryUrl: string, replicaUrl: string): Promise<string | null> {
  const { replicaFault, ServerPair } = await import("./engine/replica/replica-servers.ts");
  const servers = new ServerPair(primaryUrl, replicaUrl);
  try {
    await servers.positions();
    return null;
  } catch (error) {
    return replicaFault(error);
  } finally {
    servers.end();
  }
}

/** A longer wait for a connection means that the machine is gone, ms. */
const connectTimeoutMs = 5000;

async function probePostgres(url: string): Promise<Pick<DatabaseProbe, "clock" | "isWritable">> {
  const { Client } = (await import("pg")).default;
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  client.on("error", () => {});
  await client.connect();
  try {
    const asked = Date.now();
    const { rows } = await client.query<{ server_time: number; read_only: string }>(
      "SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS server_time, current_setting('transaction_read_only') AS read_only",
    );
    const answered = Date.now();
    const [row] = rows;
    return {
      clock: row ? { asked, serverTime: row.server_time, answered } : null,
      isWritable: row?.read_only === "off",
    };
  } finally {
    await client.end();
  }
}
