import { isInMaintenance } from "../../core/maintenance/maintenance.ts";
import type { Instant } from "../../core/time.ts";
import type { Work } from "../../store/engine/database.ts";
import { maintenanceOf, removeMaintenance } from "../../store/maintenance/maintenance.ts";
import { lockServer } from "../../store/server/locks.ts";

/** False when no window was in progress. */
export function* closeMaintenance(serverId: string, now: Instant): Work<boolean> {
  yield* lockServer(serverId);
  const current = yield* maintenanceOf(serverId);
  yield* removeMaintenance(serverId);
  return isInMaintenance(current, now);
}
