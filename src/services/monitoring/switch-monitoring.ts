import type { MonitoringChange } from "../../core/server/records.ts";
import { type Work, one, run } from "../../store/engine/database.ts";
import { evaluateServer } from "../alert/evaluate-server.ts";
import { enterMonitoringOrder, leaveMonitoringOrder } from "./monitored-positions.ts";
import { lockAccount, requireServerOf } from "../../store/server/locks.ts";
import { addTransition } from "../../store/health/monitoring-transitions.ts";
import { countMonitored, monitoringOf, setMonitored } from "../../store/monitoring/monitoring-switch.ts";

/** `full`: the plan covers no more servers. The account's lock keeps two calls from taking the last place. */
export function* switchMonitoring({
  serverId,
  accountId,
  enabled,
  limits,
  now,
}: MonitoringChange): Work<"set" | "full"> {
  yield* lockAccount(accountId);
  yield* requireServerOf(accountId, serverId);
  const known = yield* one(monitoringOf, { id: serverId });
  if (known === null || (known.monitoring_enabled === 1) === enabled) return "set";
  const others = (yield* one(countMonitored, { account: accountId }))?.enabled ?? 0;
  if (enabled && others >= limits.monitored_servers) return "full";
  yield* run(setMonitored, { id: serverId, enabled: Number(enabled) });
  yield* addTransition(serverId, now, enabled ? "on" : "off");
  if (enabled) yield* enterMonitoringOrder(accountId, serverId, known.linked_at);
  else yield* leaveMonitoringOrder(serverId);
  yield* evaluateServer(serverId, () => limits, now, null);
  return "set";
}
