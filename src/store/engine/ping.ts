import { one, type Database } from "./database.ts";
import { sql } from "kysely";
import { query } from "./query.ts";

const probe = query<Record<string, never>>()((db) => db.selectFrom("account").select("id").limit(1));

/** Rejects with Unavailable if the database does not answer. */
export const ping = (db: Database): Promise<unknown> => db.read(() => one(probe, {}));

const newest = query<Record<string, never>>()<{ id: number | null }>((db) => ({
  compile: () => sql<{ id: number | null }>`SELECT max(id) AS id FROM schema_migration`.compile(db),
}));

/** The id of the database's newest migration; rejects with Unavailable if it does not answer. */
export const newestMigrationOf = async (db: Database): Promise<number> =>
  (await db.read(() => one(newest, {})))?.id ?? 0;
