import type { Account } from "../../core/access/account.ts";
import { PlanName } from "../../core/access/plan.ts";
import { Role } from "../../core/access/scope.ts";
import { run, type Result, type Step } from "../engine/database.ts";
import { forUpdate, query } from "../engine/query.ts";
import type { Tables } from "../schema/tables.ts";

export type AccountRow = Omit<
  Tables["account"],
  "password_hash" | "kept_plan" | "kept_plan_until" | "device_generation"
>;

export const toAccount = (row: AccountRow): Account => ({
  id: row.id,
  email: row.email,
  emailVerified: row.email_verified === 1,
  plan: PlanName.parse(row.plan),
  role: Role.parse(row.role),
  createdAt: row.created_at,
});

export const accountColumns = ["id", "email", "email_verified", "plan", "role", "created_at"] as const;

/** Nothing happens when the address is taken: addresses are compared in lower case. */
const insert = query<AccountRow & { password_hash: string | null }>()((db, $) =>
  db
    .insertInto("account")
    .values({
      id: $.id,
      email: $.email,
      email_verified: $.email_verified,
      plan: $.plan,
      role: $.role,
      password_hash: $.password_hash,
      created_at: $.created_at,
      device_generation: 0,
    })
    .onConflict((conflict) => conflict.column("email").doNothing()),
);

/** False when the address is taken. */
export function* insertAccount(
  { id, email, emailVerified, plan, role, createdAt }: Account,
  passwordHash: string | null,
): Generator<Step, boolean, Result> {
  const inserted = yield* run(insert, {
    id,
    email: email.toLowerCase(),
    email_verified: Number(emailVerified),
    plan,
    role,
    created_at: createdAt,
    password_hash: passwordHash,
  });
  return inserted === 1;
}

export const findAccount = query<{ id: string }>()((db, $) =>
  db.selectFrom("account").select(accountColumns).where("id", "=", $.id),
);

/** The same, held until what is changed of it is written. */
export const holdAccount = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(dialect, db.selectFrom("account").select(accountColumns).where("id", "=", $.id)),
);

export const findByEmail = query<{ email: string }>()((db, $) =>
  db.selectFrom("account").select(accountColumns).where("email", "=", $.email),
);

export const setVerified = query<{ id: string; verified: number }>()((db, $) =>
  db.updateTable("account").set({ email_verified: $.verified }).where("id", "=", $.id),
);

/** Browsers that were remembered are strangers from then on. */
export const forgetDevices = query<{ id: string }>()((db, $) =>
  db
    .updateTable("account")
    .set((eb) => ({ device_generation: eb("device_generation", "+", 1) }))
    .where("id", "=", $.id),
);

export const setHash = query<{ id: string; hash: string }>()((db, $) =>
  db.updateTable("account").set({ password_hash: $.hash }).where("id", "=", $.id),
);
