import type { EventRecord } from "../../core/event/server-event.ts";
import { raiseEventAlerts } from "../alert/raise-event-alerts.ts";
import type { Result, Step } from "../../store/engine/database.ts";
import { storeEvents } from "../../store/event/events.ts";
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
  return fresh;
}
