import { sql } from "kysely";
import { AlertMetric } from "../../core/alert/alert-rule.ts";
import type { Fleet, ProgressingAlert } from "../../core/monitoring/overview.ts";
import { type Work, all } from "../engine/database.ts";
import { listedIds } from "../engine/listed-ids.ts";
import { query } from "../engine/query.ts";
import { storedHealthOfServers } from "../health/server-health.ts";
import { maintenanceOfServers } from "../maintenance/maintenance.ts";
import { monitoredServers } from "../server/server-rows.ts";

/** The condition is written as in the partial index of alerts in progress, so that SQLite uses it. */
const alerts = query<{ account: string; ids: string }>()((db, $, dialect) =>
  db
    .selectFrom(listedIds(dialect, $.ids).as("w"))
    .crossJoin("alert as a")
    .select([
      "a.id",
      "a.server_id",
      "a.rule_id",
      "a.rule_name",
      "a.metric",
      "a.status",
      "a.opened_at",
      "a.value",
    ])
    .whereRef("a.server_id", "=", "w.id")
    .where("a.account_id", "=", $.account)
    .where("a.kind", "=", "threshold")
    .where(sql<boolean>`a.status <> 'resolved'`),
);

/** The enabled rules of both kinds. */
const enabledRules = query<{ ids: string }>()((db, $, dialect) =>
  db.selectFrom(listedIds(dialect, $.ids).as("w")).select([
    "w.id",
    sql<number>`(select count(*) from alert_rule as r where r.server_id = w.id and r.enabled = 1)
        + (select count(*) from event_rule as r where r.server_id = w.id and r.enabled = 1)`.as("count"),
  ]),
);

interface AlertRow {
  id: string;
  server_id: string;
  rule_id: string;
  rule_name: string;
  metric: string | null;
  status: string;
  opened_at: number;
  value: number | null;
}

const toAlert = (row: AlertRow): ProgressingAlert => ({
  id: row.id,
  serverId: row.server_id,
  ruleId: row.rule_id,
  ruleName: row.rule_name,
  metric: AlertMetric.parse(row.metric),
  status: row.status === "acknowledged" ? "acknowledged" : "open",
  openedAt: row.opened_at,
  value: row.value,
});

const newestFirst = (one: ProgressingAlert, other: ProgressingAlert): number =>
  other.openedAt - one.openedAt || (one.id < other.id ? 1 : -1);

/** What is known of these servers; those that are not the account's any more are absent. */
export function* selectFleet(account: string, ids: readonly string[]): Work<Fleet> {
  const listed = { account, ids: JSON.stringify(ids) };
  const rules = new Map<string, number>();
  for (const { id, count } of yield* all(enabledRules, listed))
    if (Number(count) > 0) rules.set(id, Number(count));
  return {
    servers: (yield* monitoredServers(ids)).filter(({ accountId }) => accountId === account),
    alerts: (yield* all(alerts, listed)).map(toAlert).toSorted(newestFirst),
    maintenance: yield* maintenanceOfServers(ids),
    health: yield* storedHealthOfServers(ids),
    enabledRules: rules,
  };
}
