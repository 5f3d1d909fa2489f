import { plannedUpgrade, type PlannedUpgrade } from "./migrations/planned.ts";
import { openSqliteConnection } from "./engine/sqlite-library.ts";

/** What a database is asked before a service uses it. */
export interface DatabaseProbe extends PlannedUpgrade {
  /** Its own time and when it was asked for, ms; null for a file, which has no clock. */
  readonly clock: { readonly asked: number; readonly serverTime: number; readonly answered: number } | null;
  /** Whether it takes writes. */
  readonly isWritable: boolean;
}

/** Asks a database that is there what a start would find, and changes nothing in it. */
export async function probeDatabase(url: string): Promise<DatabaseProbe> {
  const planned = await plannedUpgrade(url);
  if (!url.startsWith("sqlite:")) return { ...planned, ...(await probePostgres(url)) };
  // A write that begins finds a file that is locked or that this user may not write.
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

/** A connection that takes longer waits for a machine that is gone, ms. */
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
