import { Actor } from "../../core/alert/alert.ts";
import {
  isInMaintenance,
  requestWindow,
  type MaintenanceRecord,
} from "../../core/maintenance/maintenance.ts";
import type { MaintenanceStore } from "../../core/maintenance/store.ts";
import { one, run, type Database, type Result, type Step } from "../engine/database.ts";
import { lockServer, requireServer } from "../server/locks.ts";
import { query } from "../engine/query.ts";
import type { Tables } from "../schema/tables.ts";
import { leaveTrace } from "../event/traces.ts";

type Row = Pick<Tables["maintenance"], keyof Tables["maintenance"]>;

const find = query<{ server: string }>()((db, $) =>
  db.selectFrom("maintenance").selectAll().where("server_id", "=", $.server),
);

const save = query<Row>()((db, $) =>
  db
    .insertInto("maintenance")
    .values({
      server_id: $.server_id,
      started_at: $.started_at,
      ends_at: $.ends_at,
      told_until: $.told_until,
      reason: $.reason,
      started_by: $.started_by,
    })
    .onConflict((conflict) =>
      conflict.column("server_id").doUpdateSet({
        started_at: (eb) => eb.ref("excluded.started_at"),
        ends_at: (eb) => eb.ref("excluded.ends_at"),
        told_until: (eb) => eb.ref("excluded.told_until"),
        reason: (eb) => eb.ref("excluded.reason"),
        started_by: (eb) => eb.ref("excluded.started_by"),
      }),
    ),
);

const remove = query<{ server: string }>()((db, $) =>
  db.deleteFrom("maintenance").where("server_id", "=", $.server),
);

/** Windows as they are written, read. */
export const toMaintenance = (row: Row): MaintenanceRecord => ({
  serverId: row.server_id,
  startedAt: row.started_at,
  endsAt: row.ends_at,
  toldUntil: row.told_until,
  reason: row.reason,
  startedBy: Actor.parse(row.started_by),
});

/** The last window written for a server, over or not. */
export function* maintenanceOf(serverId: string): Generator<Step, MaintenanceRecord | null, Result> {
  const row = yield* one(find, { server: serverId });
  return row && toMaintenance(row);
}

/** Ends whatever window there is. */
export function* removeMaintenance(serverId: string): Generator<Step, void, Result> {
  yield* run(remove, { server: serverId });
}

export function maintenanceStore(db: Database): MaintenanceStore {
  return {
    find: (serverId) => db.read(() => maintenanceOf(serverId)),
    start: (request, traceOf) =>
      db.write("saved", function* () {
        // A window that does not exist yet has no row of its own to hold.
        yield* requireServer(request.serverId);
        const granted = requestWindow(yield* maintenanceOf(request.serverId), request);
        const { serverId, startedAt, endsAt, toldUntil, reason, startedBy } = granted.record;
        yield* run(save, {
          server_id: serverId,
          started_at: startedAt,
          ends_at: endsAt,
          told_until: toldUntil,
          reason,
          started_by: startedBy,
        });
        yield* leaveTrace(traceOf(granted));
        return granted;
      }),
    end: (serverId, now) =>
      db.write("saved", function* () {
        yield* lockServer(serverId);
        const current = yield* maintenanceOf(serverId);
        yield* removeMaintenance(serverId);
        return isInMaintenance(current, now);
      }),
  };
}
