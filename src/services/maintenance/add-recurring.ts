import { mostRecurring, type RecurringRecord } from "../../core/maintenance/recurring.ts";
import type { Replay } from "../../core/replay.ts";
import { findSameBody, noteMade } from "../../store/access/replays.ts";
import type { Work } from "../../store/engine/database.ts";
import { insertRecurring, recurringOf, recurringOfAccount } from "../../store/maintenance/recurring.ts";
import { requireServer } from "../../store/server/locks.ts";

/** Null if the server already has the maximum. */
export function* addRecurring(record: RecurringRecord, replay?: Replay): Work<RecurringRecord | null> {
  yield* requireServer(record.serverId);
  for (const { id, updatedAt } of replay ? yield* findSameBody(replay) : []) {
    const made = yield* recurringOfAccount(id, replay?.accountId ?? "");
    if (made?.updatedAt === updatedAt) return made;
  }
  if ((yield* recurringOf(record.serverId)).length >= mostRecurring) return null;
  yield* insertRecurring(record);
  if (replay) yield* noteMade(replay, record.id, record.updatedAt);
  return record;
}
