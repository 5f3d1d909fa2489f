import { regressionSince } from "../../contract/call/scheduled-runs.ts";
import { judgeHealth } from "../../core/health/evaluate.ts";
import type { Instant } from "../../core/time.ts";
import { readVerdictFacts, type TurnKnowledge } from "../../services/health/read-verdict-facts.ts";
import { saveEvaluation } from "../../services/health/save-evaluation.ts";
import type { Work } from "../../store/engine/database.ts";
import { storedHealthOf } from "../../store/health/server-health.ts";
import { monitoredServer } from "../../store/server/server-rows.ts";
import type { JobDeps } from "../deps.ts";

/**
 * Evaluates the health of one server as `GET /servers/{id}/health` does for the last 24 hours. Answers what stores it;
 * null for a server that is not linked any more.
 */
export async function evaluation(
  { db, plans }: Pick<JobDeps, "db" | "plans">,
  id: string,
  now: Instant,
  known: Omit<TurnKnowledge, "stored"> = {},
): Promise<(() => Work<void>) | null> {
  const server = await db.read(monitoredServer, id);
  if (!server) return null;
  const stored = await db.read(storedHealthOf, id);
  const request = {
    server,
    limits: plans[server.ownerPlan],
    now,
    regressionSince: await regressionSince(db, server, now),
  };
  const { facts, findings } = await readVerdictFacts(db, request, { ...known, stored });
  const { verdict, since, reasons, headline } = judgeHealth(facts, findings);
  const occasion = { now, seenMark: stored?.evaluatedAt ?? null };
  return () => saveEvaluation(id, { verdict, since, reasons, headline }, occasion);
}

/** Evaluates the health of one server, and stores it at once. */
export async function evaluateServerHealth(
  deps: Pick<JobDeps, "db" | "plans">,
  id: string,
  now: Instant,
): Promise<void> {
  const save = await evaluation(deps, id, now);
  if (save) await deps.db.write(save);
}
