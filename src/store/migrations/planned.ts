import { existsSync } from "node:fs";
import { openSqliteConnection } from "../engine/sqlite-library.ts";
import { appliedInPostgres, appliedInSqlite, newestOf, refuseForeign, type Applied } from "./applied.ts";
import type { Migration } from "./migration.ts";
import { migrations } from "./registry.ts";

export interface PlannedUpgrade {
  /** The database's newest migration; null if there is no database or it is empty. */
  readonly current: number | null;
  readonly missing: readonly Migration[];
}

/** Changes nothing. Throws ForeignDatabase for a database of another version. */
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

/** A longer wait for a connection means that the machine is gone, ms. */
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
