import type { MonitoringChange } from "../../core/server/store.ts";
import { one, run, type Result, type Step } from "../../store/engine/database.ts";
import { evaluateServer } from "../alert/evaluate-server.ts";
import { lockAccount, requireServerOf } from "../../store/server/locks.ts";
import { query } from "../../store/engine/query.ts";

const stateOf = query<{ id: string }>()((db, $) =>
  db.selectFrom("server").select("monitoring_enabled").where("id", "=", $.id),
);

const countEnabled = query<{ account: string }>()((db, $) =>
  db
    .selectFrom("server")
    .select((eb) => eb.fn.countAll<number>().as("enabled"))
    .where("account_id", "=", $.account)
    .where("monitoring_enabled", "=", 1),
);

const set = query<{ id: string; enabled: number }>()((db, $) =>
  db.updateTable("server").set({ monitoring_enabled: $.enabled }).where("id", "=", $.id),
);

/** Switches a server's monitoring; the account is locked, so that no two switch the last one its plan covers. */
export function* switchMonitoring({
  serverId,
  accountId,
  enabled,
  limits,
  now,
}: MonitoringChange): Generator<Step, "set" | "full", Result> {
  yield* lockAccount(accountId);
  yield* requireServerOf(accountId, serverId);
  const isEnabled = (yield* one(stateOf, { id: serverId }))?.monitoring_enabled === 1;
  if (isEnabled === enabled) return "set";
  const others = (yield* one(countEnabled, { account: accountId }))?.enabled ?? 0;
  if (enabled && others >= limits.monitored_servers) return "full";
  yield* run(set, { id: serverId, enabled: Number(enabled) });
  yield* evaluateServer(serverId, () => limits, now, null);
  return "set";
}
