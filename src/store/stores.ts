import { accountStore } from "./accounts.ts";
import { one, type Database } from "./database.ts";
import { groupStore } from "./groups.ts";
import { linkStore } from "./links.ts";
import { openPostgres } from "./postgres.ts";
import { query } from "./query.ts";
import { rateWindowStore } from "./rate-windows.ts";
import { reportStore } from "./reports.ts";
import { sampleStore } from "./samples.ts";
import { serverStore } from "./servers.ts";
import { openSqlite } from "./sqlite.ts";
import { tokenStore } from "./tokens.ts";

/** Every store of the service over one database. */
export const storesOn = (db: Database) => ({
  accounts: accountStore(db),
  tokens: tokenStore(db),
  rates: rateWindowStore(db),
  servers: serverStore(db),
  samples: sampleStore(db),
  links: linkStore(db),
  groups: groupStore(db),
  reports: reportStore(db),
});

const probe = query<Record<string, never>>()((db) => db.selectFrom("account").select("id").limit(1));

/** Resolves when the database answers; rejects with Unavailable when it does not. */
export const ping = (db: Database): Promise<unknown> => db.read(() => one(probe, {}));

/** Opens `sqlite:PATH` or `postgres://…`. */
export function openDatabase(url: string, onError: (error: Error) => void): Promise<Database> {
  return url.startsWith("sqlite:")
    ? Promise.resolve(openSqlite(url.slice("sqlite:".length)))
    : openPostgres(url, onError);
}
