import type { Account } from "../../core/access/account.ts";
import type { TimePosition } from "../../core/position.ts";
import { sql } from "kysely";
import type { DirectoryEntry } from "../../core/access/directory.ts";
import { accountTable } from "./tables.ts";
import { type Work, all, one } from "../engine/database.ts";
import { fromTop, query } from "../engine/query.ts";

/** Scans the table, which has a few thousand rows at most and is searched by admins only. */
const search = query<{ text: string; at: number; id: string; limit: number }>()((db, $, dialect) => {
  const place = dialect === "sqlite" ? sql`instr(email, ${$.text})` : sql`strpos(email, ${$.text})`;
  return db
    .selectFrom("account")
    .select(accountTable.own)
    .where(sql<boolean>`(${$.text} = '' or ${place} > 0)`)
    .where(sql<boolean>`(created_at, id) < (${$.at}, ${$.id})`)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit($.limit);
});

const find = query<{ id: string; now: number }>()((db, $) =>
  db
    .selectFrom("account as a")
    .select(accountTable.of("a"))
    .select((eb) => [
      eb
        .selectFrom("server as s")
        .select((inner) => inner.fn.countAll<number>().as("count"))
        .whereRef("s.account_id", "=", "a.id")
        .as("servers"),
      eb
        .selectFrom("api_token as t")
        .select((inner) => inner.fn.countAll<number>().as("count"))
        .whereRef("t.account_id", "=", "a.id")
        .where("t.revoked_at", "is", null)
        .where("t.expires_at", ">", $.now)
        .as("tokens"),
    ])
    .where("a.id", "=", $.id),
);

export const setRoleOf = query<{ id: string; role: string }>()((db, $) =>
  db.updateTable("account").set({ role: $.role }).where("id", "=", $.id),
);

export const deleteSessionsOfAccount = query<{ id: string }>()((db, $) =>
  db.deleteFrom("session").where("account_id", "=", $.id),
);

/** Accounts whose address contains the text, ignoring case; newest first. */
export function* searchAccounts(text: string, after: TimePosition | null, limit: number): Work<Account[]> {
  const rows = yield* all(search, { text: text.toLowerCase(), ...(after ?? fromTop), limit });
  return rows.map(accountTable.toRecord);
}

export function* selectAccountEntry(id: string, now: number): Work<DirectoryEntry | null> {
  const row = yield* one(find, { id, now });
  return (
    row && {
      account: accountTable.toRecord(row),
      servers: Number(row.servers),
      activeTokens: Number(row.tokens),
    }
  );
}
