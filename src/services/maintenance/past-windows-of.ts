import { ownSource, timelineAt, type EventRecord } from "../../core/event/server-event.ts";
import { longestMinutes } from "../../core/maintenance/maintenance.ts";
import { pastWindows, type PastWindow } from "../../core/maintenance/past-windows.ts";
import { minuteMs, type Instant } from "../../core/time.ts";
import type { Work } from "../../store/engine/database.ts";
import { selectEvents } from "../../store/event/timeline.ts";
import { maintenanceOf } from "../../store/maintenance/maintenance.ts";

const pageLength = 500;
/** Most starts read, the newest: an hourly maintenance for more than a year. */
const mostStarts = 10_000;

/** Maintenance windows that may reach past `from`, and began by `now`. */
export function* pastWindowsOf(serverId: string, from: Instant, now: Instant): Work<PastWindow[]> {
  const filter = {
    from: from - longestMinutes * minuteMs,
    to: null,
    category: null,
    severity: null,
    source: ownSource,
    type: "maintenance_start",
  };
  const starts: EventRecord[] = [];
  let isLast = false;
  while (!isLast && starts.length < mostStarts) {
    const oldest = starts.at(-1);
    const after = oldest ? { at: timelineAt(oldest), id: oldest.id } : null;
    const page = yield* selectEvents(serverId, filter, after, pageLength);
    starts.push(...page);
    isLast = page.length < pageLength;
  }
  return pastWindows(starts, yield* maintenanceOf(serverId), now);
}
