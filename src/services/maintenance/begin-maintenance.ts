import type { Trace } from "../../core/event/trace.ts";
import {
  type MaintenanceRequest,
  type GrantedWindow,
  requestWindow,
} from "../../core/maintenance/maintenance.ts";
import { type Work, run } from "../../store/engine/database.ts";
import { maintenanceTable } from "../../store/maintenance/maintenance-table.ts";
import { maintenanceOf, upsertMaintenance } from "../../store/maintenance/maintenance.ts";
import { requireServer } from "../../store/server/locks.ts";
import { recordTrace } from "../event/record-trace.ts";

/** Starts a window or extends the one in progress; `traceOf` says what the act leaves behind. */
export function* beginMaintenance(
  request: MaintenanceRequest,
  traceOf: (granted: GrantedWindow) => Trace | null,
): Work<GrantedWindow> {
  // A window that does not exist yet has no row of its own to hold.
  yield* requireServer(request.serverId);
  const granted = requestWindow(yield* maintenanceOf(request.serverId), request);
  yield* run(upsertMaintenance, maintenanceTable.toRow(granted.record));
  yield* recordTrace(traceOf(granted));
  return granted;
}
