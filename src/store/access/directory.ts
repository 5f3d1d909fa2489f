import type { Account } from "../../core/access/account.ts";
import type { TimePosition } from "../../core/position.ts";
import { sql } from "kysely";
import type { DirectoryEntry, RoleChange } from "../../core/access/directory.ts";
import { Role } from "../../core/access/scope.ts";
import { roleChanged } from "../../core/service-log/entries.ts";
import type { Act } from "../../core/service-log/entry.ts";
import { holdAccount } from "./account-rows.ts";
import { accountTable } from "./tables.ts";
import { type Work, all, one, run, type Result, type Step } from "../engine/database.ts";
import { forUpdate, fromTop, query } from "../engine/query.ts";
import { note } from "../service-log/service-log.ts";

/** A few thousand rows at most, looked through by people who run the service. */
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

/** In one order, so that two changes at once wait for each other and not in a circle. */
const lockAdmins = query<Record<string, never>>()((db, _, dialect) =>
  forUpdate(dialect, db.selectFrom("account").select("id").where("role", "=", "admin").orderBy("id")),
);

const setRole = query<{ id: string; role: string }>()((db, $) =>
  db.updateTable("account").set({ role: $.role }).where("id", "=", $.id),
);

const endSessions = query<{ id: string }>()((db, $) =>
  db.deleteFrom("session").where("account_id", "=", $.id),
);

export function* changeRole(id: string, role: Role, act?: Act): Generator<Step, RoleChange, Result> {
  const admins = (yield* all(lockAdmins, {})).map((row) => row.id);
  if (role !== "admin" && admins.includes(id) && admins.length === 1) return "last_admin";
  const before = yield* one(holdAccount, { id });
  if (before === null || (yield* run(setRole, { id, role })) === 0) return "unknown";
  if (role === "suspended") yield* run(endSessions, { id });
  if (before.role !== role) yield* note(act, roleChanged(id, Role.parse(before.role), role));
  return "changed";
}

/** Accounts whose address holds the text, without case; the newest first. */
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
