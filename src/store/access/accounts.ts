import type { Account } from "../../core/access/account.ts";
import { findByEmail } from "./account-rows.ts";
import { accountTable } from "./tables.ts";
import { type Work, all, one } from "../engine/database.ts";
import { forUpdate, query } from "../engine/query.ts";

const list = query<Record<string, never>>()((db) =>
  db.selectFrom("account").select(accountTable.own).orderBy("created_at").orderBy("id"),
);

export const lockPlan = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(
    dialect,
    db.selectFrom("account").select(["plan", "kept_plan", "kept_plan_until"]).where("id", "=", $.id),
  ),
);

export const setPlanOf = query<{ id: string; plan: string; kept: string | null; until: number | null }>()(
  (db, $) =>
    db
      .updateTable("account")
      .set({ plan: $.plan, kept_plan: $.kept, kept_plan_until: $.until })
      .where("id", "=", $.id),
);

export const keepReportsOfAuthor = query<{ author: string; now: number }>()((db, $) =>
  db
    .updateTable("report")
    .set({ expires_at: null })
    .where("author_id", "=", $.author)
    .where("expires_at", ">", $.now),
);

export const keepUnitTestsOfAuthor = query<{ author: string; now: number }>()((db, $) =>
  db
    .updateTable("unit_test")
    .set({ expires_at: null })
    .where("author_id", "=", $.author)
    .where("expires_at", ">", $.now),
);

export function* selectAccounts(): Work<Account[]> {
  return (yield* all(list, {})).map(accountTable.toRecord);
}

export function* selectAccountByEmail(email: string): Work<Account | null> {
  const row = yield* one(findByEmail, { email: email.toLowerCase() });
  return row && accountTable.toRecord(row);
}
