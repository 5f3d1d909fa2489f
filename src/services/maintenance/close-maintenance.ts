import { isInMaintenance } from "../../core/maintenance/server-maintenance.ts";
import type { Instant } from "../../core/time.ts";
import { type Work, run } from "../../store/engine/database.ts";
import { removeMaintenance } from "../../store/maintenance/maintenance.ts";
import { recordBegunWindows } from "./record-begun-windows.ts";

/** Returns false if no window was in progress. */
export function* closeMaintenance(serverId: string, now: Instant): Work<boolean> {
  const current = yield* recordBegunWindows(serverId, now);
  yield* run(removeMaintenance, { server: serverId });
  return isInMaintenance(current, now);
}
