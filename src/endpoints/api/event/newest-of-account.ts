import type { EventFilter } from "../../../core/event/event-filter.ts";
import { timelineAt, type AccountEventRecord } from "../../../core/event/server-event.ts";
import type { TimePosition } from "../../../core/position.ts";
import { nextTurn } from "../../../core/turns.ts";
import type { Database } from "../../../store/engine/database.ts";
import { selectServerRun, selectSlice } from "../../../store/event/filtered-timeline.ts";
import { selectAccountEvents } from "../../../store/event/timeline.ts";

/** A slice looks at so many servers, and at so many entries of each: at 3,000 entries at most, some 5 ms of the thread. */
const serversAtOnce = 50;
const depth = 60;

/**
 * A page of the account's timeline. Without a filter, or by type alone, an index finds it in one statement. By any
 * other filter entries that do not match are read too: they are read in slices, and other work has its turn between.
 */
export async function newestOfAccount(
  db: Database,
  account: string,
  server: string | null,
  filter: EventFilter,
  after: TimePosition | null,
  limit: number,
): Promise<AccountEventRecord[]> {
  const isIndexed = filter.category === null && filter.severity === null && filter.source === null;
  if (isIndexed) return db.read(selectAccountEvents, account, server, filter, after, limit);
  let found: AccountEventRecord[] = [];
  let run = await db.read(selectServerRun, account, server, "", serversAtOnce);
  while (run) {
    let next = after;
    do {
      // What is older than a full page is not looked at.
      const oldest = found.length < limit ? undefined : found.at(-1);
      const from = oldest ? timelineAt(oldest) : filter.from;
      const slice = await db.read(selectSlice, account, run, { ...filter, from }, next, limit, depth);
      found = merged(found, slice.rows, limit);
      next = slice.next;
      await nextTurn();
    } while (next !== null);
    run = await db.read(selectServerRun, account, server, run.last, serversAtOnce);
  }
  return found;
}

const merged = (
  a: readonly AccountEventRecord[],
  b: readonly AccountEventRecord[],
  limit: number,
): AccountEventRecord[] => [...a, ...b].toSorted(newestFirst).slice(0, limit);

const newestFirst = (a: AccountEventRecord, b: AccountEventRecord): number =>
  timelineAt(b) - timelineAt(a) || (a.id < b.id ? 1 : -1);
