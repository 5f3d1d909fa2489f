import { softwareChanges, type SoftwareChange } from "../../core/software/changes.ts";
import type { SoftwareInventory } from "../../core/software/inventory.ts";
import { withKnown } from "../../core/software/known-software.ts";
import { lastChanges } from "../../core/software/last-changes.ts";
import { softwareEvents } from "../../core/software/software-event.ts";
import type { Instant } from "../../core/time.ts";
import type { Work } from "../../store/engine/database.ts";
import { newId } from "../../store/engine/ids.ts";
import { requireLinked } from "../../store/server/locks.ts";
import { saveSoftware, softwareOf } from "../../store/software/server-software.ts";
import { recordEvents } from "../event/record-events.ts";

/** Stores the newest inventory, adds differences to the timeline, and returns them. */
export function* recordSoftware(
  serverId: string,
  sent: SoftwareInventory,
  now: Instant,
): Work<SoftwareChange[]> {
  // Locks the server, so that of two concurrent inventories the second sees the first.
  yield* requireLinked(serverId);
  const before = yield* softwareOf(serverId);
  const inventory = withKnown(before?.inventory ?? null, sent);
  const changes = softwareChanges(before?.inventory ?? null, inventory);
  const changedAt = before === null || changes.length > 0 ? now : before.changedAt;
  yield* saveSoftware({
    serverId,
    inventory,
    receivedAt: now,
    changedAt,
    firstReceivedAt: before?.firstReceivedAt ?? now,
    changes: lastChanges(before?.changes ?? [], changes, inventory, now),
  });
  const events = softwareEvents(changes, {
    serverId,
    now,
    happenedAt: now,
    newId: () => newId(now),
  });
  if (events.length > 0) yield* recordEvents(serverId, events, now);
  return changes;
}
