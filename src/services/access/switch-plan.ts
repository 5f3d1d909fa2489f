import { PlanName, type PlanLimits } from "../../core/access/plan.ts";
import type { Act } from "../../core/service-log/entry.ts";
import type { Instant } from "../../core/time.ts";
import { lockPlan } from "../../store/access/accounts.ts";
import { all, one, type Work } from "../../store/engine/database.ts";
import { addTransition } from "../../store/health/monitoring-transitions.ts";
import { lastPosition, serversAtPositions } from "../../store/monitoring/monitored-positions.ts";
import { changePlan } from "./change-plan.ts";

export interface PlanSwitch {
  readonly accountId: string;
  readonly plan: PlanName;
  readonly plans: Readonly<Record<PlanName, PlanLimits>>;
  readonly now: Instant;
}

/**
 * Changes the plan, and records for each server whose monitoring thereby ends or resumes since when: time not
 * covered by a plan counts neither as up nor as down.
 */
export function* switchPlan({ accountId, plan, plans, now }: PlanSwitch, act?: Act): Work<void> {
  const row = yield* one(lockPlan, { id: accountId });
  if (!row || row.plan === plan) return;
  const covered = plans[PlanName.parse(row.plan)].monitored_servers;
  yield* changePlan(accountId, plan, now, act);
  const newest = (yield* one(lastPosition, { account: accountId }))?.position ?? 0;
  const willBe = plans[plan].monitored_servers;
  // A plan covers the servers that were linked last.
  const first = newest - Math.max(covered, willBe) + 1;
  const last = newest - Math.min(covered, willBe);
  if (last < 1) return;
  for (const { server_id: id } of yield* all(serversAtPositions, { account: accountId, first, last }))
    yield* addTransition(id, now, willBe > covered ? "on" : "off");
}
