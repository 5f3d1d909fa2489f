import type { Database } from "./database.ts";
import { openPostgres } from "./postgres.ts";
import { rehearsed } from "./rehearsal.ts";
import { openSqlite } from "./sqlite.ts";

/** Opens `sqlite:PATH` or `postgres://…`, and brings its schema up to date. */
export async function openDatabase(url: string, onError: (error: Error) => void): Promise<Database> {
  return rehearsed(
    url.startsWith("sqlite:") ? openSqlite(url.slice("sqlite:".length)) : await openPostgres(url, onError),
  );
}
