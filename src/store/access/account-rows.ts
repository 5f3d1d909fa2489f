import type { Account } from "../../core/access/account.ts";
import { type Work, run } from "../engine/database.ts";
import { forUpdate, placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { accountTable } from "./tables.ts";

/** Inserts nothing if the address is taken; addresses are compared in lower case. */
const insert = query<RowOf<typeof accountTable>>()((db, $) =>
  db
    .insertInto("account")
    .values(placesOf(accountTable.columns, $))
    .onConflict((conflict) => conflict.column("email").doNothing()),
);

/** Returns false if the address is taken. */
export function* insertAccount(account: Account, passwordHash: string | null): Work<boolean> {
  const inserted = yield* run(insert, {
    ...accountTable.toRow(account),
    email: account.email.toLowerCase(),
    password_hash: passwordHash,
    kept_plan: null,
    kept_plan_until: null,
    device_generation: 0,
  });
  return inserted === 1;
}

export const findAccount = query<{ id: string }>()((db, $) =>
  db.selectFrom("account").select(accountTable.own).where("id", "=", $.id),
);

export const holdAccount = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(dialect, db.selectFrom("account").select(accountTable.own).where("id", "=", $.id)),
);

export const findByEmail = query<{ email: string }>()((db, $) =>
  db.selectFrom("account").select(accountTable.own).where("email", "=", $.email),
);

export const setVerified = query<{ id: string; verified: number }>()((db, $) =>
  db.updateTable("account").set({ email_verified: $.verified }).where("id", "=", $.id),
);

/** Browsers remembered before are no longer recognized. */
export const forgetDevices = query<{ id: string }>()((db, $) =>
  db
    .updateTable("account")
    .set((eb) => ({ device_generation: eb("device_generation", "+", 1) }))
    .where("id", "=", $.id),
);

export const setHash = query<{ id: string; hash: string }>()((db, $) =>
  db.updateTable("account").set({ password_hash: $.hash }).where("id", "=", $.id),
);
