import { timelineAt, type EventRecord } from "../../core/event/server-event.ts";
import { isOfHealth } from "../../core/health/changes.ts";
import { startingMs } from "../../core/health/thresholds.ts";
import { bucketMs } from "../../core/metric/chunk.ts";
import { forgetLoadDays } from "../health/forget-load-days.ts";
import { raiseEventAlerts } from "../alert/raise-event-alerts.ts";
import type { Result, Step } from "../../store/engine/database.ts";
import { storeEvents } from "../../store/event/events.ts";
import { markHealthDue } from "../../store/health/server-health.ts";
import { requireLinked } from "../../store/server/locks.ts";

/** Stores the events of one upload, and raises the alerts of those that are new. */
export function* recordEvents(
  serverId: string,
  events: readonly EventRecord[],
  now: number,
): Generator<Step, EventRecord[], Result> {
  yield* requireLinked(serverId);
  const fresh = yield* storeEvents(events);
  yield* raiseEventAlerts(serverId, fresh, now);
  // The bucket in which a late entry happened is closed: without a mark a calm server would not be evaluated for it.
  if (fresh.some((event) => isOfHealth(event) && timelineAt(event) < now - bucketMs))
    yield* markHealthDue(serverId);
  const starts = fresh.filter(({ type }) => type === "server_start").map(timelineAt);
  yield* forgetLoadDays(serverId, [...starts, ...starts.map((at) => at + startingMs)], now);
  return fresh;
}
