import type Sqlite from "better-sqlite3";
import type { ClientBase } from "pg";
import { migrations, newestMigration } from "./registry.ts";

/** Names of the applied migrations by id; empty if the database has no table of migrations. */
export type Applied = ReadonlyMap<number, string>;

export function appliedInSqlite(db: Sqlite.Database): Applied {
  const known = db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'schema_migration'");
  if (known.get() === undefined) return new Map();
  return new Map(db.prepare<[], [number, string]>("SELECT id, name FROM schema_migration").raw().all());
}

export async function appliedInPostgres(client: ClientBase): Promise<Applied> {
  const known = await client.query<{ found: string | null }>(
    "SELECT to_regclass('schema_migration') AS found",
  );
  if (!known.rows[0]?.found) return new Map();
  const { rows } = await client.query<{ id: number; name: string }>("SELECT id, name FROM schema_migration");
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export const newestOf = (applied: Applied): number | null =>
  applied.size === 0 ? null : Math.max(...applied.keys());

/** Thrown for a database of another program version, which this one does not understand and leaves alone. */
export class ForeignDatabase extends Error {
  override readonly name = "ForeignDatabase";
}

/** Throws ForeignDatabase for migrations of another program. `named`: the database in the message. */
export function refuseForeign(applied: Applied, named = "this database"): void {
  const newest = newestOf(applied);
  if (newest === null) return;
  if (!migrations.some(({ id, name }) => applied.get(id) === name))
    throw new ForeignDatabase(
      `A version of Tickmark before 0.1.0 wrote ${named} (migration ${newest} of its own count). Run tickmark export FILE with that version, set TICKMARK_DATABASE_URL to a new database, and run tickmark import FILE with this version.`,
    );
  if (newest > newestMigration())
    throw new ForeignDatabase(
      `A newer version of Tickmark wrote ${named} (migration ${newest}, this version knows ${newestMigration()}). Start that version, or restore a backup that this version made.`,
    );
}
