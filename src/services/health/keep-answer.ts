import type { PlanLimits } from "../../core/access/plan.ts";
import type { HealthFacts } from "../../core/health/facts.ts";
import { healthSummaryOf } from "../../core/health/health-summary.ts";
import type { HealthEvaluation, StoredHealth } from "../../core/health/stored-health.ts";
import type { MonitoredServer } from "../../core/server/server.ts";
import { derivedStatus } from "../../core/server/status.ts";
import { dayMs, minuteMs, type Instant } from "../../core/time.ts";
import type { Database } from "../../store/engine/database.ts";
import { storedHealthOf } from "../../store/health/server-health.ts";
import { saveEvaluation } from "./save-evaluation.ts";

interface Answered {
  readonly server: MonitoredServer;
  readonly limits: PlanLimits;
  readonly facts: HealthFacts;
  readonly evaluation: HealthEvaluation;
  readonly now: Instant;
}

/** Whether the period is the one that evaluations of the job have. */
const isOfNow = ({ facts: { from, to }, now }: Answered): boolean =>
  to === now && Math.abs(now - dayMs - from) < minuteMs;

const unjudged = new Set<HealthFacts["state"]>(["not_monitored", "never_seen"]);

/** Whether the fleet would say the same after `evaluation` was stored. */
function saysTheSame(stored: StoredHealth | null, { server, limits, evaluation, now }: Answered): boolean {
  const status = derivedStatus(server, limits, now);
  const said = (health: Parameters<typeof healthSummaryOf>[0]): string => {
    const { evaluated_at: _, ...summary } = healthSummaryOf(health, status, server.lastHeartbeat, now);
    return JSON.stringify(summary);
  };
  return said(stored) === said({ ...evaluation, evaluatedAt: now, verdictFrom: now, reopenedFrom: null });
}

/**
 * Stores what an answer about one server found, if the fleet says something else, so that the next answer about the
 * fleet agrees. Never throws: with a full disk the answer goes out all the same, and the job stores it later.
 */
export async function keepAnswer(db: Database, answered: Answered): Promise<void> {
  const { server, facts, evaluation, now } = answered;
  if (!isOfNow(answered) || unjudged.has(facts.state)) return;
  try {
    const stored = await db.read(storedHealthOf, server.id);
    if (saysTheSame(stored, answered)) return;
    await db.write(saveEvaluation, server.id, evaluation, { now, seenMark: stored?.evaluatedAt ?? null });
  } catch {
    // The answer does not depend on it.
  }
}
