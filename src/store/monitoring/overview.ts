import { sql } from "kysely";
import { AlertMetric } from "../../core/alert/alert-rule.ts";
import type { Fleet, ProgressingAlert } from "../../core/monitoring/overview.ts";
import type { StoredHealth } from "../../core/health/stored-health.ts";
import { type Work, all, one } from "../engine/database.ts";
import type { RowOf } from "../engine/table.ts";
import { serverHealthTable } from "../health/tables.ts";
import { maintenanceTable, recurringMaintenanceTable } from "../maintenance/tables.ts";
import { maintenanceByServer } from "../../core/maintenance/server-maintenance.ts";
import { query } from "../engine/query.ts";
import { linkedServers, monitoringColumns, toMonitored } from "../server/server-rows.ts";

/** A server's position in its account's list: monitored ones first, then newest link first. */
export interface FleetPosition {
  readonly enabled: number;
  readonly linkedAt: number;
  readonly id: string;
}

const fromTheFirst: FleetPosition = { enabled: 2, linkedAt: 0, id: "" };

type PartValues = { account: string; least: number; enabled: number; linked: number; id: string };
type SpanValues = PartValues & { last_enabled: number; last_linked: number; last_id: string };

const place = sql`(s.monitoring_enabled, s.linked_at, s.id)`;
/** A row comparison, so that each part starts exactly where the last one ended. */
const behind = ($: Pick<PartValues, "enabled" | "linked" | "id">) =>
  sql<boolean>`${place} < (${$.enabled}, ${$.linked}, ${$.id})`;
const untilLast = ($: SpanValues) =>
  sql<boolean>`${place} >= (${$.last_enabled}, ${$.last_linked}, ${$.last_id})`;

/** In the order of the index `server_of_account`. `least` 1 omits servers that are not monitored. */
const servers = query<PartValues & { limit: number }>()((db, $) =>
  linkedServers(db)
    .innerJoin("account as a", "a.id", "s.account_id")
    .leftJoin("monitoring_order as o", "o.server_id", "s.id")
    .leftJoin("server_health as h", "h.server_id", "s.id")
    .select([...monitoringColumns, "a.plan", "a.role", "o.position"])
    .select(serverHealthTable.of("h"))
    .where("s.account_id", "=", $.account)
    .where("s.monitoring_enabled", ">=", $.least)
    .where(behind($))
    .orderBy("s.monitoring_enabled", "desc")
    .orderBy("s.linked_at", "desc")
    .orderBy("s.id", "desc")
    .limit($.limit),
);

/** The condition is written as in the partial index of alerts in progress, so that SQLite uses it. */
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

const windows = query<SpanValues>()((db, $) =>
  db
    .selectFrom("maintenance as m")
    .innerJoin("server as s", "s.id", "m.server_id")
    .selectAll("m")
    .where("s.account_id", "=", $.account)
    .where(behind($))
    .where(untilLast($)),
);

const recurring = query<SpanValues>()((db, $) =>
  db
    .selectFrom("recurring_maintenance as m")
    .innerJoin("server as s", "s.id", "m.server_id")
    .selectAll("m")
    .where("s.account_id", "=", $.account)
    .where("m.next_starts_at", "is not", null)
    .where(behind($))
    .where(untilLast($)),
);

/** The enabled rules of both kinds. */
const enabledRules = query<SpanValues>()((db, $) =>
  db
    .selectFrom("server as s")
    .select([
      "s.id",
      sql<number>`(select count(*) from alert_rule as r where r.server_id = s.id and r.enabled = 1)
        + (select count(*) from event_rule as r where r.server_id = s.id and r.enabled = 1)`.as("count"),
    ])
    .where("s.account_id", "=", $.account)
    .where(behind($))
    .where(untilLast($)),
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

/** A part of an account's servers, with windows and health. The first part has all alerts. */
export interface FleetPart extends Fleet {
  readonly next: FleetPosition | null;
}

/** Reads the next servers after a position, each with its rank among the monitored ones. */
export function* selectFleetPart(
  account: string,
  includeUnmonitored: boolean,
  after: FleetPosition | null,
  limit: number,
): Work<FleetPart> {
  const from = after ?? fromTheFirst;
  const { enabled: above, linkedAt: linked, id } = from;
  const part = { account, least: includeUnmonitored ? 0 : 1, enabled: above, linked, id };
  const rows = yield* all(servers, { ...part, limit });
  const inProgress = after === null ? (yield* all(alerts, { account })).map(toAlert) : [];
  const enabled = (yield* one(countPositions, { account }))?.enabled ?? 0;
  const end = rows.at(-1);
  if (!end)
    return {
      servers: [],
      alerts: inProgress,
      maintenance: new Map(),
      health: new Map(),
      enabledRules: new Map(),
      next: null,
    };
  const last = { enabled: end.monitoring_enabled, linkedAt: end.linked_at, id: end.id };
  const span = { ...part, last_enabled: last.enabled, last_linked: last.linkedAt, last_id: last.id };
  const health = new Map<string, StoredHealth>();
  // Sound: in a row that was found every column is set.
  for (const row of rows)
    if (row.server_id !== null)
      health.set(row.server_id, serverHealthTable.toRecord(row as RowOf<typeof serverHealthTable>));
  const rules = new Map<string, number>();
  for (const { id: server, count } of yield* all(enabledRules, span))
    if (Number(count) > 0) rules.set(server, Number(count));
  return {
    alerts: inProgress,
    servers: rows.map((row) => toMonitored(Object.assign(row, { enabled }))),
    maintenance: maintenanceByServer(
      (yield* all(windows, span)).map(maintenanceTable.toRecord),
      (yield* all(recurring, span)).map(recurringMaintenanceTable.toRecord),
    ),
    health,
    enabledRules: rules,
    next: rows.length < limit ? null : last,
  };
}
