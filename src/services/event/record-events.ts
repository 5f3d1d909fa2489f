import { timelineAt, type EventRecord } from "../../core/event/server-event.ts";
import { isOfHealth } from "../../core/health/changes.ts";
import { startingMs } from "../../core/health/thresholds.ts";
import { forgetLoadDays, judgeAgainFrom } from "../health/late-data.ts";
import { raiseEventAlerts } from "../alert/raise-event-alerts.ts";
import type { Work } from "../../store/engine/database.ts";
import { storeEvents } from "../../store/event/events.ts";
import { requireLinked } from "../../store/server/locks.ts";

/** Returns the events that are new, after raising their alerts. */
export function* recordEvents(
  serverId: string,
  events: readonly EventRecord[],
  now: number,
): Work<EventRecord[]> {
  yield* requireLinked(serverId);
  const fresh = yield* storeEvents(events);
  yield* raiseEventAlerts(serverId, fresh, now);
  yield* judgeAgainFrom(serverId, fresh.filter(isOfHealth).map(timelineAt), now);
  const starts = fresh.filter(({ type }) => type === "server_start").map(timelineAt);
  yield* forgetLoadDays(serverId, [...starts, ...starts.map((at) => at + startingMs)], now);
  return fresh;
}
