import { PlanName } from "../../core/access/plan.ts";
import type { MonitoredServer, ServerRecord } from "../../core/server/server.ts";
import { all, one, type Work } from "../engine/database.ts";
import { listedIds } from "../engine/listed-ids.ts";
import { query, type Builder } from "../engine/query.ts";
import type { OwnRowOf, RowOf } from "../engine/table.ts";
import { announcementOf } from "./state-rows.ts";
import { serverMonitoringTable, serverTable } from "./tables.ts";

export const monitoringColumns = [
  ...serverMonitoringTable.of("s"),
  "s.announcement",
  "s.announced_at",
] as const;

type RecordRow = OwnRowOf<typeof serverTable> & { account_id: string };

export const linkedServers = (db: Builder) =>
  db
    .selectFrom("server as s")
    .select(serverTable.of("s"))
    .where("s.account_id", "is not", null)
    .$narrowType<{ account_id: string }>();

export type MonitoredRow = RecordRow &
  RowOf<typeof serverMonitoringTable> & {
    plan: string;
    role: string;
    position: number | null;
    enabled: number | null;
  };

export const toRecord = (row: RecordRow): ServerRecord => serverTable.toRecord(row);

/** Assigned, not spread: V8 needs 20 µs to spread an object of this size into a larger literal. */
export const toMonitored = (row: MonitoredRow): MonitoredServer =>
  Object.assign(serverTable.toRecord(row), serverMonitoringTable.toRecord(row), {
    ownerPlan: PlanName.parse(row.plan),
    ownerSuspended: row.role === "suspended",
    announcement: announcementOf(row),
    enabledRank: row.position === null ? 0 : (row.enabled ?? 0) - row.position + 1,
    enabledServers: row.enabled ?? 0,
  });

/** Servers with their owner's plan and role, rank among the owner's monitored servers, and their number. */
export const monitored = (db: Builder) =>
  linkedServers(db)
    .innerJoin("account as a", "a.id", "s.account_id")
    .leftJoin("monitoring_order as o", "o.server_id", "s.id")
    .select([...monitoringColumns, "a.plan", "a.role", "o.position"])
    .select((eb) =>
      eb
        .selectFrom("monitoring_order as newest")
        .select((inner) => inner.fn.max<number | null>("newest.position").as("position"))
        .whereRef("newest.account_id", "=", "s.account_id")
        .as("enabled"),
    );

const findById = query<{ id: string }>()((db, $) => monitored(db).where("s.id", "=", $.id));

const listById = query<{ ids: string }>()((db, $, dialect) =>
  monitored(db).innerJoin(listedIds(dialect, $.ids).as("w"), "w.id", "s.id"),
);

export function* monitoredServers(ids: readonly string[]): Work<MonitoredServer[]> {
  return (yield* all(listById, { ids: JSON.stringify(ids) })).map(toMonitored);
}

export function* monitoredServer(id: string): Work<MonitoredServer | null> {
  const row = yield* one(findById, { id });
  return row && toMonitored(row);
}
