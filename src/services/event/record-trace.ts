import type { Trace } from "../../core/event/trace.ts";
import type { Work } from "../../store/engine/database.ts";
import { storeEvents } from "../../store/event/events.ts";
import { holdLinked } from "../../store/server/locks.ts";
import { queueNotice } from "../notice/queue-notice.ts";

export function* recordTrace(trace: Trace | null): Work<void> {
  if (trace?.event && (yield* holdLinked(trace.event.serverId)) !== null) yield* storeEvents([trace.event]);
  if (trace?.notice) yield* queueNotice(trace.notice);
}
