import { takeReported, type ReportedSoftware } from "../../core/software/reported-software.ts";
import { reportedSoftwareEvents } from "../../core/software/software-event.ts";
import type { Instant } from "../../core/time.ts";
import type { Work } from "../../store/engine/database.ts";
import { newId } from "../../store/engine/ids.ts";
import { requireLinked } from "../../store/server/locks.ts";
import { saveReportedSoftware, selectReportedSoftware } from "../../store/software/reported-software.ts";
import { softwareOf } from "../../store/software/server-software.ts";
import { recordEvents } from "../event/record-events.ts";

interface ReportedMoment {
  readonly now: Instant;
  readonly happenedAt: Instant;
}

/** Stores software reported outside an inventory, and adds changes to the timeline. */
export function* recordReportedSoftware(
  serverId: string,
  sent: ReportedSoftware,
  { now, happenedAt }: ReportedMoment,
): Work<void> {
  // Locks the server, so that of two concurrent reports the second sees the first.
  yield* requireLinked(serverId);
  const before = yield* selectReportedSoftware(serverId);
  const inventory = before === null ? null : ((yield* softwareOf(serverId))?.inventory ?? null);
  const taken = takeReported(before, sent, inventory, happenedAt);
  if (taken === null) return;
  yield* saveReportedSoftware(serverId, taken.known);
  const events = reportedSoftwareEvents(taken.changes, {
    serverId,
    now,
    happenedAt,
    newId: () => newId(now),
  });
  if (events.length > 0) yield* recordEvents(serverId, events, now);
}
