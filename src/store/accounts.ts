import type { Account } from "../core/access/account.ts";
import { lapseGraceMs, largerPlan, PlanName } from "../core/access/plan.ts";
import { Role } from "../core/access/scope.ts";
import type { AccountStore } from "../core/access/store.ts";
import { all, one, run, type Database, type Result, type Step } from "./database.ts";
import { forUpdate, query } from "./query.ts";
import type { Tables } from "./schema.ts";

export type AccountRow = Omit<Tables["account"], "password_hash" | "kept_plan" | "kept_plan_until">;

export const toAccount = (row: AccountRow): Account => ({
  id: row.id,
  email: row.email,
  emailVerified: row.email_verified === 1,
  plan: PlanName.parse(row.plan),
  role: Role.parse(row.role),
  createdAt: row.created_at,
});

const columns = ["id", "email", "email_verified", "plan", "role", "created_at"] as const;

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
    })
    .onConflict((conflict) => conflict.column("email").doNothing()),
);

const list = query<Record<string, never>>()((db) =>
  db.selectFrom("account").select(columns).orderBy("created_at").orderBy("id"),
);

const byEmail = query<{ email: string }>()((db, $) =>
  db.selectFrom("account").select(columns).where("email", "=", $.email),
);

const credentialsOf = query<{ email: string }>()((db, $) =>
  db
    .selectFrom("account")
    .select([...columns, "password_hash"])
    .where("email", "=", $.email),
);

const planOf = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(
    dialect,
    db.selectFrom("account").select(["plan", "kept_plan", "kept_plan_until"]).where("id", "=", $.id),
  ),
);

const setPlan = query<{ id: string; plan: string; kept: string | null; until: number | null }>()((db, $) =>
  db
    .updateTable("account")
    .set({ plan: $.plan, kept_plan: $.kept, kept_plan_until: $.until })
    .where("id", "=", $.id),
);

const keepReports = query<{ author: string; now: number }>()((db, $) =>
  db
    .updateTable("report")
    .set({ expires_at: null })
    .where("author_id", "=", $.author)
    .where("expires_at", ">", $.now),
);

const keepUnitTests = query<{ author: string; now: number }>()((db, $) =>
  db
    .updateTable("unit_test")
    .set({ expires_at: null })
    .where("author_id", "=", $.author)
    .where("expires_at", ">", $.now),
);

/** A lapse deletes nothing at once: the largest plan of the last days goes on deciding what is kept. */
function* changePlan(id: string, plan: PlanName, now: number): Generator<Step, void, Result> {
  const row = yield* one(planOf, { id });
  if (!row || row.plan === plan) return;
  const stillKept = row.kept_plan !== null && (row.kept_plan_until ?? 0) > now ? row.kept_plan : null;
  const kept = largerPlan(PlanName.parse(row.plan), stillKept === null ? null : PlanName.parse(stillKept));
  yield* run(setPlan, { id, plan, kept, until: now + lapseGraceMs });
  if (plan === "free") return;
  yield* run(keepReports, { author: id, now });
  yield* run(keepUnitTests, { author: id, now });
}

const setRole = query<{ id: string; role: string }>()((db, $) =>
  db.updateTable("account").set({ role: $.role }).where("id", "=", $.id),
);

const setVerified = query<{ id: string; verified: number }>()((db, $) =>
  db.updateTable("account").set({ email_verified: $.verified }).where("id", "=", $.id),
);

const setHash = query<{ id: string; hash: string }>()((db, $) =>
  db.updateTable("account").set({ password_hash: $.hash }).where("id", "=", $.id),
);

export function accountStore(db: Database): AccountStore {
  return {
    create: (account, passwordHash) =>
      db.write("saved", function* () {
        const { id, email, emailVerified, plan, role, createdAt } = account;
        const values = {
          id,
          email: email.toLowerCase(),
          email_verified: Number(emailVerified),
          plan,
          role,
          created_at: createdAt,
          password_hash: passwordHash,
        };
        return (yield* run(insert, values)) === 1;
      }),
    list: () =>
      db.read(function* () {
        return (yield* all(list, {})).map(toAccount);
      }),
    findByEmail: (email) =>
      db.read(function* () {
        const row = yield* one(byEmail, { email: email.toLowerCase() });
        return row && toAccount(row);
      }),
    credentials: (email) =>
      db.read(function* () {
        const row = yield* one(credentialsOf, { email: email.toLowerCase() });
        return row && { account: toAccount(row), passwordHash: row.password_hash };
      }),
    setPlan: (id, plan, now) =>
      db.write("saved", function* () {
        yield* changePlan(id, plan, now);
      }),
    setRole: (id, role) =>
      db.write("saved", function* () {
        yield* run(setRole, { id, role });
      }),
    setEmailVerified: (id, verified) =>
      db.write("saved", function* () {
        yield* run(setVerified, { id, verified: Number(verified) });
      }),
    setPasswordHash: (id, hash) =>
      db.write("saved", function* () {
        yield* run(setHash, { id, hash });
      }),
  };
}
