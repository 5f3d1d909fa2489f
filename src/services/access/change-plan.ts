import { PlanName, largerPlan, lapseGraceMs } from "../../core/access/plan.ts";
import { planChanged } from "../../core/service-log/entries.ts";
import type { Act } from "../../core/service-log/entry.ts";
import { logAct } from "../service-log/log-act.ts";
import {
  lockPlan,
  setPlanOf,
  keepReportsOfAuthor,
  keepUnitTestsOfAuthor,
} from "../../store/access/accounts.ts";
import { type Work, one, run } from "../../store/engine/database.ts";

/** After a downgrade the larger plan decides for `lapseGraceMs` what is kept; nothing is deleted at once. */
export function* changePlan(id: string, plan: PlanName, now: number, act?: Act): Work<void> {
  const row = yield* one(lockPlan, { id });
  if (!row || row.plan === plan) return;
  const stillKept = row.kept_plan !== null && (row.kept_plan_until ?? 0) > now ? row.kept_plan : null;
  const kept = largerPlan(PlanName.parse(row.plan), stillKept === null ? null : PlanName.parse(stillKept));
  yield* run(setPlanOf, { id, plan, kept, until: now + lapseGraceMs });
  yield* logAct(act, planChanged(id, PlanName.parse(row.plan), plan));
  if (plan === "free") return;
  yield* run(keepReportsOfAuthor, { author: id, now });
  yield* run(keepUnitTestsOfAuthor, { author: id, now });
}
