import { existsSync } from "node:fs";
import { openSqliteConnection } from "../engine/sqlite-library.ts";
import { appliedInPostgres, appliedInSqlite, newestOf, refuseForeign, type Applied } from "./applied.ts";
import type { Migration } from "./migration.ts";
import { migrations } from "./registry.ts";

/** What a start of this program would do to a database. */
export interface PlannedUpgrade {
  /** The newest migration that the database has; null where there is no database yet, or an empty one. */
  readonly current: number | null;
  /** The migrations that are missing, in their order. */
  readonly missing: readonly Migration[];
}

/** Reads which migrations a database has, and changes nothing. Throws ForeignDatabase for one of another version. */
export async function plannedUpgrade(url: string): Promise<PlannedUpgrade> {
  const applied = url.startsWith("sqlite:")
    ? appliedInFile(url.slice("sqlite:".length))
    : await appliedAt(url);
  refuseForeign(applied);
  return { current: newestOf(applied), missing: migrations.filter(({ id }) => !applied.has(id)) };
}

function appliedInFile(path: string): Applied {
  if (path === ":memory:" || !existsSync(path)) return new Map();
  const db = openSqliteConnection(path, { fileMustExist: true });
  try {
    return appliedInSqlite(db);
  } finally {
    db.close();
  }
}

/** A connection that takes longer waits for a machine that is gone, ms. */
const connectTimeoutMs = 5000;

async function appliedAt(url: string): Promise<Applied> {
  const { Client } = (await import("pg")).default;
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  client.on("error", () => {});
  await client.connect();
  try {
    return await appliedInPostgres(client);
  } finally {
    await client.end();
  }
}
