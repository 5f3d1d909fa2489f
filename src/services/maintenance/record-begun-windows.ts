import { recurringStart } from "../../core/event/own-event.ts";
import {
  hasBegun,
  maintenanceAt,
  type ServerMaintenance,
} from "../../core/maintenance/server-maintenance.ts";
import type { Instant } from "../../core/time.ts";
import { run, type Work } from "../../store/engine/database.ts";
import { newId } from "../../store/engine/ids.ts";
import { maintenanceOf, upsertMaintenance } from "../../store/maintenance/maintenance.ts";
import { saveRecurring } from "../../store/maintenance/recurring.ts";
import { maintenanceTable } from "../../store/maintenance/tables.ts";
import { lockServer } from "../../store/server/locks.ts";
import { recordTrace } from "../event/record-trace.ts";

/** Records begun recurring windows with their events. Any change of the maintenance must do this first. */
export function* recordBegunWindows(serverId: string, now: Instant): Work<ServerMaintenance> {
  yield* lockServer(serverId);
  const written = yield* maintenanceOf(serverId);
  if (!hasBegun(written, now)) return written;
  const { last, recurring, begun } = maintenanceAt(written, now);
  if (last !== null && last !== written.last) yield* run(upsertMaintenance, maintenanceTable.toRow(last));
  for (const [index, each] of recurring.entries())
    if (each !== written.recurring[index]) yield* saveRecurring(each);
  for (const window of begun) {
    const event = recurringStart({ id: newId(now), serverId, now: window.startedAt }, window);
    yield* recordTrace({ event, notice: null });
  }
  return { last, recurring };
}
