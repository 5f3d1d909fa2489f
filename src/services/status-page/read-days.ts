import { availabilityOf } from "../../core/health/availability.ts";
import { placeOfTime } from "../../core/metric/chunk.ts";
import type { PastWindow } from "../../core/maintenance/past-windows.ts";
import type { MonitoredServer } from "../../core/server/server.ts";
import type { DerivedStatus } from "../../core/server/status.ts";
import type { DaySeconds } from "../../core/status-page/days.ts";
import { dayMs, type Instant } from "../../core/time.ts";
import type { Database } from "../../store/engine/database.ts";
import { selectFirstSampleTime, selectLastSampleTime } from "../../store/health/health-queries.ts";
import { pacer } from "../../core/turns.ts";
import { readPresence } from "../health/read-presence.ts";

/** Days whose timeline is read at once; of these, only the newest 500 events are considered. */
const daysAtATime = 7;

export interface DaysRequest {
  readonly server: Pick<MonitoredServer, "id">;
  /** The state now, which applies to a silence that lasts until now. */
  readonly status: Pick<DerivedStatus, "state" | "since">;
  readonly maintenance: readonly PastWindow[];
  /** Start of the first day. */
  readonly from: Instant;
  /** End of the last day, or now. */
  readonly to: Instant;
}

/** How the server spent each day (UTC), as `GET /servers/{id}/health` reports it. */
export async function readDays(db: Database, request: DaysRequest): Promise<DaySeconds[]> {
  const { server, status, maintenance, from, to } = request;
  const firstSampleAt = await db.read(selectFirstSampleTime, server.id);
  const lastAt = await db.read(selectLastSampleTime, server.id, Number.MAX_SAFE_INTEGER);
  const days: DaySeconds[] = [];
  const pace = pacer();
  for (let start = from; start < to; start += daysAtATime * dayMs) {
    await pace();
    const end = Math.min(start + daysAtATime * dayMs, to);
    if (firstSampleAt === null || firstSampleAt >= end) {
      for (let day = start; day < end; day += dayMs) days.push(unmeasured);
      continue;
    }
    const presence = await readPresence(db, server.id, { from: start, to: end, eventsFrom: start });
    for (let day = start; day < end; day += dayMs) {
      const dayEnd = Math.min(day + dayMs, end);
      const isOver = lastAt !== null && lastAt >= dayEnd;
      const {
        percent: _,
        incidents: __,
        unmonitored_seconds: ___,
        ...seconds
      } = availabilityOf({
        ...presence,
        // The last time before the day tells when a silence began that reaches into it.
        sampleTimes: presence.sampleTimes.subarray(
          Math.max(0, placeOfTime(presence.sampleTimes, day) - 1),
          placeOfTime(presence.sampleTimes, dayEnd),
        ),
        from: day,
        to: dayEnd,
        state: isOver ? "running" : status.state,
        stateSince: isOver ? null : status.since,
        firstSampleAt,
        maintenance,
      });
      days.push(seconds);
    }
  }
  return days;
}

const unmeasured: DaySeconds = { up_seconds: 0, down_seconds: 0, stopped_seconds: 0, maintenance_seconds: 0 };
