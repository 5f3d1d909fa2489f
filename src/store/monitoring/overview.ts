import { sql } from "kysely";
import { AlertMetric } from "../../core/alert/alert-rule.ts";
import type { Fleet, ProgressingAlert } from "../../core/monitoring/overview.ts";
import { type Work, all, one } from "../engine/database.ts";
import { serverHealthTable } from "../health/tables.ts";
import { maintenanceTable } from "../maintenance/maintenance-table.ts";
import { query } from "../engine/query.ts";
import { linkedServers, monitoringColumns, toMonitored } from "../server/server-rows.ts";

/** Newest link first. */
const servers = query<{ account: string }>()((db, $) =>
  linkedServers(db)
    .innerJoin("account as a", "a.id", "s.account_id")
    .leftJoin("monitoring_order as o", "o.server_id", "s.id")
    .select([...monitoringColumns, "a.plan", "o.position"])
    .where("s.account_id", "=", $.account)
    .orderBy("s.linked_at", "desc")
    .orderBy("s.id", "desc"),
);

/** The condition stands in the text as the index of alerts in progress has it: so SQLite sees that it answers. */
const alerts = query<{ account: string }>()((db, $) =>
  db
    .selectFrom("alert as a")
    .innerJoin("server as s", "s.id", "a.server_id")
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
    .where("s.account_id", "=", $.account)
    .where("a.account_id", "=", $.account)
    .where("a.kind", "=", "threshold")
    .where(sql<boolean>`a.status <> 'resolved'`)
    .orderBy("a.opened_at", "desc")
    .orderBy("a.id", "desc"),
);

const windows = query<{ account: string }>()((db, $) =>
  db
    .selectFrom("maintenance as m")
    .innerJoin("server as s", "s.id", "m.server_id")
    .selectAll("m")
    .where("s.account_id", "=", $.account),
);

const health = query<{ account: string }>()((db, $) =>
  db
    .selectFrom("server as s")
    .innerJoin("server_health as h", "h.server_id", "s.id")
    .select(serverHealthTable.of("h"))
    .where("s.account_id", "=", $.account),
);

type AlertRow = {
  id: string;
  server_id: string;
  rule_id: string;
  rule_name: string;
  metric: string | null;
  status: string;
  opened_at: number;
  value: number | null;
};

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

const countPositions = query<{ account: string }>()((db, $) =>
  db
    .selectFrom("monitoring_order")
    .select((row) => row.fn.max<number | null>("position").as("enabled"))
    .where("account_id", "=", $.account),
);

/** Every server the account holds, with its place among the enabled ones, and its threshold alerts in progress. */
export function* selectFleet(account: string): Work<Fleet> {
  const enabled = (yield* one(countPositions, { account }))?.enabled ?? 0;
  return {
    servers: (yield* all(servers, { account })).map((row) => toMonitored(Object.assign(row, { enabled }))),
    alerts: (yield* all(alerts, { account })).map(toAlert),
    windows: (yield* all(windows, { account })).map(maintenanceTable.toRecord),
    health: new Map(
      (yield* all(health, { account })).map((row) => [row.server_id, serverHealthTable.toRecord(row)]),
    ),
  };
}
