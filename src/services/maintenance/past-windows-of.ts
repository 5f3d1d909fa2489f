import { ownSource } from "../../core/event/server-event.ts";
import { longestMinutes } from "../../core/maintenance/maintenance.ts";
import { pastWindows, type PastWindow } from "../../core/maintenance/past-windows.ts";
import { minuteMs, type Instant } from "../../core/time.ts";
import type { Work } from "../../store/engine/database.ts";
import { selectEvents } from "../../store/event/timeline.ts";
import { maintenanceOf } from "../../store/maintenance/maintenance.ts";

/** Windows that are looked at, at most: one for each hour and a half of 30 days. */
const mostWindows = 480;

/** The windows of maintenance of a server that may reach into the time from `from` on, and began until `now`. */
export function* pastWindowsOf(serverId: string, from: Instant, now: Instant): Work<PastWindow[]> {
  const filter = {
    from: from - longestMinutes * minuteMs,
    to: null,
    category: null,
    severity: null,
    source: ownSource,
    type: "maintenance_start",
  };
  const starts = yield* selectEvents(serverId, filter, null, mostWindows);
  return pastWindows(starts, yield* maintenanceOf(serverId), now);
}
