import type { Instant } from "../../core/time.ts";
import { noMaintenance } from "../../core/maintenance/server-maintenance.ts";
import { rulesOfServers } from "../../store/alert/alert-rules.ts";
import { alertsById } from "../../store/alert/alerts.ts";
import type { Database, Work } from "../../store/engine/database.ts";
import { maintenanceOfServers } from "../../store/maintenance/maintenance.ts";
import { lockServer } from "../../store/server/locks.ts";
import { monitoredServers } from "../../store/server/server-rows.ts";
import { evaluateRule, evaluateServer, sweepFact, type LimitsOf } from "./evaluate-server.ts";

/** Finds servers with a rule that time alone changes now; writes nothing. */
export function* changedByTime(ids: readonly string[], limitsOf: LimitsOf, now: Instant): Work<string[]> {
  const rules = yield* rulesOfServers(ids);
  const alerts = yield* alertsById(rules.flatMap(({ openAlertId }) => openAlertId ?? []));
  const openAlerts = new Map(alerts.map((alert) => [alert.id, alert]));
  const maintenance = yield* maintenanceOfServers(ids);
  const facts = new Map(
    (yield* monitoredServers(ids)).map((server) => [
      server.id,
      sweepFact(server, maintenance.get(server.id) ?? noMaintenance, limitsOf, now),
    ]),
  );
  const changed = rules.filter((rule) => {
    const fact = facts.get(rule.serverId);
    if (!fact) return false;
    const open = rule.openAlertId === null ? null : (openAlerts.get(rule.openAlertId) ?? null);
    const { progress, changes } = evaluateRule(rule, open, fact);
    return progress !== rule.progress || changes.length > 0;
  });
  return [...new Set(changed.map(({ serverId }) => serverId))];
}

export function* evaluateByTime(id: string, limitsOf: LimitsOf, now: Instant): Work<void> {
  yield* lockServer(id);
  yield* evaluateServer(id, limitsOf, now, null);
}

/**
 * Evaluates these servers' rules against the time alone. One read finds the servers with changes; only these
 * are locked and evaluated, until `signal` aborts. Safe in several processes.
 */
export async function sweepServers(
  db: Database,
  ids: readonly string[],
  limitsOf: LimitsOf,
  now: Instant,
  signal?: AbortSignal,
): Promise<void> {
  for (const id of await db.read(changedByTime, ids, limitsOf, now)) {
    if (signal?.aborted) return;
    await db.write(evaluateByTime, id, limitsOf, now);
  }
}
