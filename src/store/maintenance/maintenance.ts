import type { Trace } from "../../core/event/trace.ts";
import type { Instant } from "../../core/time.ts";
import {
  type GrantedWindow,
  type MaintenanceRequest,
  isInMaintenance,
  requestWindow,
  type MaintenanceRecord,
} from "../../core/maintenance/maintenance.ts";
import { type Work, one, run, type Result, type Step } from "../engine/database.ts";
import { lockServer, requireServer } from "../server/locks.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { maintenanceTable } from "./maintenance-table.ts";
import { leaveTrace } from "../event/traces.ts";

const find = query<{ server: string }>()((db, $) =>
  db.selectFrom("maintenance").selectAll().where("server_id", "=", $.server),
);

const save = query<RowOf<typeof maintenanceTable>>()((db, $) =>
  db
    .insertInto("maintenance")
    .values(placesOf(maintenanceTable.columns, $))
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

/** The last window written for a server, over or not. */
export function* maintenanceOf(serverId: string): Generator<Step, MaintenanceRecord | null, Result> {
  const row = yield* one(find, { server: serverId });
  return row && maintenanceTable.toRecord(row);
}

/** Ends whatever window there is. */
export function* removeMaintenance(serverId: string): Generator<Step, void, Result> {
  yield* run(remove, { server: serverId });
}

/** Starts a window or extends the one in progress; `traceOf` says what the act leaves behind. */
export function* beginMaintenance(
  request: MaintenanceRequest,
  traceOf: (granted: GrantedWindow) => Trace | null,
): Work<GrantedWindow> {
  // A window that does not exist yet has no row of its own to hold.
  yield* requireServer(request.serverId);
  const granted = requestWindow(yield* maintenanceOf(request.serverId), request);
  yield* run(save, maintenanceTable.toRow(granted.record));
  yield* leaveTrace(traceOf(granted));
  return granted;
}

/** False when no window was in progress. */
export function* closeMaintenance(serverId: string, now: Instant): Work<boolean> {
  yield* lockServer(serverId);
  const current = yield* maintenanceOf(serverId);
  yield* removeMaintenance(serverId);
  return isInMaintenance(current, now);
}
