import type { Trace } from "../../core/event/trace.ts";
import {
  type MaintenanceRequest,
  type GrantedWindow,
  requestWindow,
} from "../../core/maintenance/maintenance.ts";
import type { ServerMaintenance } from "../../core/maintenance/server-maintenance.ts";
import { type Work, run } from "../../store/engine/database.ts";
import { maintenanceTable } from "../../store/maintenance/tables.ts";
import { upsertMaintenance } from "../../store/maintenance/maintenance.ts";
import { requireServer } from "../../store/server/locks.ts";
import { recordTrace } from "../event/record-trace.ts";
import { recordBegunWindows } from "./record-begun-windows.ts";

export interface BegunMaintenance extends GrantedWindow {
  readonly written: ServerMaintenance;
}

/** Extends a window in progress. `traceOf`: what the act records. */
export function* beginMaintenance(
  request: MaintenanceRequest,
  traceOf: (granted: GrantedWindow) => Trace | null,
): Work<BegunMaintenance> {
  // Locks the server, because a new window has no row to lock.
  yield* requireServer(request.serverId);
  const { last, recurring } = yield* recordBegunWindows(request.serverId, request.now);
  const granted = requestWindow(last, request);
  yield* run(upsertMaintenance, maintenanceTable.toRow(granted.record));
  yield* recordTrace(traceOf(granted));
  return { ...granted, written: { last: granted.record, recurring } };
}
