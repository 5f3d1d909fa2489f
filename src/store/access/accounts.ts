import type { Account } from "../../core/access/account.ts";
import type { Role } from "../../core/access/scope.ts";
import { lapseGraceMs, largerPlan, PlanName } from "../../core/access/plan.ts";
import { emailVerified, accountCreated, planChanged } from "../../core/service-log/entries.ts";
import type { Act } from "../../core/service-log/entry.ts";
import { holdAccount, findByEmail, insertAccount, setVerified } from "./account-rows.ts";
import { accountTable } from "./tables.ts";
import { type Work, all, one, run, type Result, type Step } from "../engine/database.ts";
import { forUpdate, query } from "../engine/query.ts";
import { note } from "../service-log/service-log.ts";

const list = query<Record<string, never>>()((db) =>
  db.selectFrom("account").select(accountTable.own).orderBy("created_at").orderBy("id"),
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
export function* changePlan(
  id: string,
  plan: PlanName,
  now: number,
  act?: Act,
): Generator<Step, void, Result> {
  const row = yield* one(planOf, { id });
  if (!row || row.plan === plan) return;
  const stillKept = row.kept_plan !== null && (row.kept_plan_until ?? 0) > now ? row.kept_plan : null;
  const kept = largerPlan(PlanName.parse(row.plan), stillKept === null ? null : PlanName.parse(stillKept));
  yield* run(setPlan, { id, plan, kept, until: now + lapseGraceMs });
  yield* note(act, planChanged(id, PlanName.parse(row.plan), plan));
  if (plan === "free") return;
  yield* run(keepReports, { author: id, now });
  yield* run(keepUnitTests, { author: id, now });
}

const setRole = query<{ id: string; role: string }>()((db, $) =>
  db.updateTable("account").set({ role: $.role }).where("id", "=", $.id),
);

/** False when the e-mail address is taken (compared without case). */
export function* addAccount(account: Account, passwordHash: string | null, act?: Act): Work<boolean> {
  const made = yield* insertAccount(account, passwordHash);
  if (made) yield* note(act, accountCreated(account));
  return made;
}

export function* selectAccounts(): Work<Account[]> {
  return (yield* all(list, {})).map(accountTable.toRecord);
}

export function* selectAccountByEmail(email: string): Work<Account | null> {
  const row = yield* one(findByEmail, { email: email.toLowerCase() });
  return row && accountTable.toRecord(row);
}

export function* updateRole(id: string, role: Role): Work<void> {
  yield* run(setRole, { id, role });
}

export function* updateEmailVerified(id: string, verified: boolean, act?: Act): Work<void> {
  const before = yield* one(holdAccount, { id });
  yield* run(setVerified, { id, verified: Number(verified) });
  if (verified && before?.email_verified === 0) yield* note(act, emailVerified(id));
}
