import type { Trace } from "../../core/event/trace.ts";
import type { Result, Step } from "../engine/database.ts";
import { storeEvents } from "./events.ts";
import { holdLinked } from "../server/locks.ts";
import { queueNotice } from "../notice/outbox.ts";

/** Records an act and tells its owner, within the change's own unit of work. */
export function* leaveTrace(trace: Trace | null): Generator<Step, void, Result> {
  if (trace?.event && (yield* holdLinked(trace.event.serverId)) !== null) yield* storeEvents([trace.event]);
  if (trace?.notice) yield* queueNotice(trace.notice);
}
