import type { Database } from "./database.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

/** Opens `sqlite:PATH` or `postgres://…`. */
export function openDatabase(url: string, onError: (error: Error) => void): Promise<Database> {
  return url.startsWith("sqlite:")
    ? Promise.resolve(openSqlite(url.slice("sqlite:".length)))
    : openPostgres(url, onError);
}
