import { regressionSince } from "../../contract/call/scheduled-runs.ts";
import { judgeHealth } from "../../core/health/evaluate.ts";
import { dayMs, type Instant } from "../../core/time.ts";
import { readHealthFacts } from "../../services/health/read-health-facts.ts";
import { saveEvaluation } from "../../services/health/save-evaluation.ts";
import { storedHealthOf } from "../../store/health/server-health.ts";
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
  const seenMark = (await db.read(storedHealthOf, id))?.evaluatedAt ?? null;
  const facts = await readHealthFacts(db, {
    server,
    limits: plans[server.ownerPlan],
    from: now - dayMs,
    to: now,
    now,
    regressionSince: await regressionSince(db, server, now),
  });
  const { verdict, since: begun, reasons, headline } = judgeHealth(facts);
  await db.write(saveEvaluation, id, { verdict, since: begun, reasons, headline }, { now, seenMark });
}
