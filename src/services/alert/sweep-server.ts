import type { PlanLimits, Plans } from "../../core/access/plan.ts";
import type { Instant } from "../../core/time.ts";
import type { Database } from "../../store/engine/database.ts";
import { lockServer } from "../../store/server/locks.ts";
import { evaluateServer, needsEvaluation } from "./evaluate-server.ts";

/** Evaluates every rule of one server against the time alone. Safe to repeat, in any number of processes. */
export async function sweepServer(
  db: Database,
  id: string,
  limits: (plan: keyof Plans) => PlanLimits,
  now: Instant,
): Promise<void> {
  if (!(await db.read(needsEvaluation, id, limits, now))) return;
  await db.write(function* () {
    yield* lockServer(id);
    yield* evaluateServer(id, limits, now, null);
  });
}
