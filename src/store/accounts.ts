import { lapseGraceMs, largerPlan, PlanName } from "../core/access/plan.ts";
import type { AccountStore } from "../core/access/store.ts";
import { accountEntry } from "./account-entry.ts";
import { accountColumns, findByEmail, insertAccount, setVerified, toAccount } from "./account-rows.ts";
import { all, one, run, type Database, type Result, type Step } from "./database.ts";
import { forUpdate, query } from "./query.ts";

const list = query<Record<string, never>>()((db) =>
  db.selectFrom("account").select(accountColumns).orderBy("created_at").orderBy("id"),
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

export function accountStore(db: Database): AccountStore {
  return {
    ...accountEntry(db),
    create: (account, passwordHash) => db.write("saved", () => insertAccount(account, passwordHash)),
    list: () =>
      db.read(function* () {
        return (yield* all(list, {})).map(toAccount);
      }),
    findByEmail: (email) =>
      db.read(function* () {
        const row = yield* one(findByEmail, { email: email.toLowerCase() });
        return row && toAccount(row);
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
  };
}
