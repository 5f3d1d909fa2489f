import type { StoredPassword } from "../../core/access/stored-password.ts";
import { accountTable } from "./tables.ts";
import { type Work, one } from "../engine/database.ts";
import { query } from "../engine/query.ts";
import type { OwnRowOf, RowOf } from "../engine/table.ts";

export const findAnyAccount = query<Record<string, never>>()((db) =>
  db.selectFrom("account").select("id").limit(1),
);

/** Concurrent set-ups wait for each other at this row, which exists from the first set-up on. */
export const insertSetUpRow = query<{ now: number }>()((db, $) =>
  db
    .insertInto("one_time_code")
    .values({
      id: "set_up",
      purpose: "set_up",
      digest: "set_up",
      account_id: null,
      email: null,
      created_at: $.now,
      expires_at: $.now,
      used_at: $.now,
    })
    // No column is named: a concurrent set-up may conflict in either unique index on PostgreSQL.
    .onConflict((conflict) => conflict.doNothing()),
);

export const touchSetUpRow = query<{ now: number }>()((db, $) =>
  db.updateTable("one_time_code").set({ used_at: $.now }).where("id", "=", "set_up"),
);

const withHash = query<{ email: string }>()((db, $) =>
  db
    .selectFrom("account")
    .select([...accountTable.own, "password_hash", "device_generation"])
    .where("email", "=", $.email),
);

const withHashById = query<{ id: string }>()((db, $) =>
  db
    .selectFrom("account")
    .select([...accountTable.own, "password_hash", "device_generation"])
    .where("id", "=", $.id),
);

export const setUnverifiedEmail = query<{ id: string; email: string }>()((db, $) =>
  db.updateTable("account").set({ email: $.email, email_verified: 0 }).where("id", "=", $.id),
);

export function* hasAnyAccount(): Work<boolean> {
  return (yield* one(findAnyAccount, {})) !== null;
}

export function* selectStoredPassword(email: string): Work<StoredPassword | null> {
  return stored(yield* one(withHash, { email: email.toLowerCase() }));
}

export function* selectStoredPasswordOf(id: string): Work<StoredPassword | null> {
  return stored(yield* one(withHashById, { id }));
}

type WithHash = OwnRowOf<typeof accountTable> &
  Pick<RowOf<typeof accountTable>, "password_hash" | "device_generation">;

function stored(row: WithHash | null): StoredPassword | null {
  if (!row) return null;
  const { password_hash: passwordHash, device_generation: deviceGeneration } = row;
  return { account: accountTable.toRecord(row), passwordHash, deviceGeneration };
}
