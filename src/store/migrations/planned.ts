import { existsSync } from "node:fs";
import { openSqliteConnection } from "../engine/sqlite-library.ts";
import { refuseNewer } from "./upgrade.ts";
import type { Migration } from "./migration.ts";
import { migrations } from "./registry.ts";

/** What a start of this program would do to a database. */
export interface PlannedUpgrade {
  /** The newest migration that the database has; null where there is no database yet, or an empty one. */
  readonly current: number | null;
  /** The migrations that are missing, in their order. */
  readonly missing: readonly Migration[];
}

/** Reads which migrations a database has, and changes nothing. Throws NewerDatabase for one of a newer version. */
export async function plannedUpgrade(url: string): Promise<PlannedUpgrade> {
  const applied = url.startsWith("sqlite:")
    ? appliedInFile(url.slice("sqlite:".length))
    : await appliedInPostgres(url);
  refuseNewer(applied);
  return {
    current: applied.size === 0 ? null : Math.max(...applied),
    missing: migrations.filter(({ id }) => !applied.has(id)),
  };
}

function appliedInFile(path: string): Set<number> {
  if (path === ":memory:" || !existsSync(path)) return new Set();
  const db = openSqliteConnection(path, { fileMustExist: true });
  try {
    const known = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'schema_migration'").get();
    if (known === undefined) return new Set();
    return new Set(db.prepare<[], number>("SELECT id FROM schema_migration").pluck().all());
  } finally {
    db.close();
  }
}

/** A connection that takes longer waits for a machine that is gone, ms. */
const connectTimeoutMs = 5000;

async function appliedInPostgres(url: string): Promise<Set<number>> {
  const { Client } = (await import("pg")).default;
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  client.on("error", () => {});
  await client.connect();
  try {
    const known = await client.query<{ found: string | null }>(
      "SELECT to_regclass('schema_migration') AS found",
    );
    if (!known.rows[0]?.found) return new Set();
    const { rows } = await client.query<{ id: number }>("SELECT id FROM schema_migration");
    return new Set(rows.map(({ id }) => id));
  } finally {
    await client.end();
  }
}
