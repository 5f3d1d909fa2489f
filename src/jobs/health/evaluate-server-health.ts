import { judgeScheduledRuns } from "../../contract/call/scheduled-runs.ts";
import { judgeHealth } from "../../core/health/evaluate.ts";
import { parseInstant, dayMs, type Instant } from "../../core/time.ts";
import { readHealthFacts } from "../../services/health/read-health-facts.ts";
import { saveEvaluation } from "../../services/health/save-evaluation.ts";
import { monitoredServer } from "../../store/server/server-rows.ts";
import type { JobDeps } from "../deps.ts";

/** Evaluates the health of one server as `GET /servers/{id}/health` does for the last 24 hours, and stores it. */
export async function evaluateServerHealth(
  { db, plans }: Pick<JobDeps, "db" | "plans">,
  id: string,
  now: Instant,
): Promise<void> {
  const server = await db.read(monitoredServer, id);
  if (!server) return;
  const regression = server.verifiedAt === null ? null : await judgeScheduledRuns(db, id, now);
  const since = regression?.verdict === "regression" ? regression.since : null;
  const facts = await readHealthFacts(db, {
    server,
    limits: plans[server.ownerPlan],
    from: now - dayMs,
    to: now,
    now,
    regressionSince: since === null ? null : parseInstant(since),
  });
  const { verdict, since: begun, reasons, headline } = judgeHealth(facts);
  await db.write(saveEvaluation, id, { verdict, since: begun, reasons, headline }, now);
}
