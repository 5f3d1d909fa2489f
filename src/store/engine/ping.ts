import { one, type Database } from "./database.ts";
import { query } from "./query.ts";

const probe = query<Record<string, never>>()((db) => db.selectFrom("account").select("id").limit(1));

/** Resolves when the database answers; rejects with Unavailable when it does not. */
export const ping = (db: Database): Promise<unknown> => db.read(() => one(probe, {}));
