import type { EventFilter } from "../../core/event/event-filter.ts";
import { timelineAt, type AccountEventRecord, type EventRecord } from "../../core/event/server-event.ts";
import type { TimePosition } from "../../core/position.ts";
import { nextTurn } from "../../core/turns.ts";
import type { DatabaseReader } from "../../store/engine/database.ts";
import { isIndexed } from "../../store/event/event-page.ts";
import {
  runOfOne,
  selectServerRun,
  selectSlice,
  type ServerRun,
} from "../../store/event/filtered-timeline.ts";
import { selectAccountEvents, selectEvents } from "../../store/event/timeline.ts";

/** Servers and entries per slice: about 5 ms of the thread. */
const serversAtOnce = 50;
const entriesAtOnce = 2000;

/**
 * A page of the account's timeline, or of one server's. With one filter an index finds it; with several, many
 * entries must be compared, so they are read in slices with other work between.
 */
export async function newestEvents(
  db: DatabaseReader,
  account: string,
  server: string | null,
  filter: EventFilter,
  after: TimePosition | null,
  limit: number,
): Promise<AccountEventRecord[]> {
  if (isIndexed(filter)) return db.read(selectAccountEvents, account, server, filter, after, limit);
  let found: AccountEventRecord[] = [];
  const runAfter = async (last: string): Promise<ServerRun | null> =>
    server === null ? db.read(selectServerRun, account, last, serversAtOnce) : null;
  let run = server === null ? await runAfter("") : runOfOne(server);
  while (run) {
    const depth = Math.ceil(entriesAtOnce / run.servers);
    let next = after;
    do {
      // Entries older than a full page are not needed.
      const oldest = found.length < limit ? undefined : found.at(-1);
      const from = oldest ? timelineAt(oldest) : filter.from;
      const slice = await db.read(selectSlice, account, run, { ...filter, from }, next, limit, depth);
      found = merged(found, slice.rows, limit);
      next = slice.next;
      await nextTurn();
    } while (next !== null);
    run = await runAfter(run.last);
  }
  return found;
}

/** A page of the entries of several types. */
export async function newestOfTypes(
  db: DatabaseReader,
  account: string,
  server: string | null,
  { types, ...filter }: Omit<EventFilter, "type"> & { readonly types: readonly string[] },
  after: TimePosition | null,
  limit: number,
): Promise<AccountEventRecord[]> {
  let found: AccountEventRecord[] = [];
  for (const type of types) {
    const ofType = await newestEvents(db, account, server, { ...filter, type }, after, limit);
    found = merged(found, ofType, limit);
  }
  return found;
}

export const newestOfServer = (
  db: DatabaseReader,
  account: string,
  server: string,
  filter: EventFilter,
  after: TimePosition | null,
  limit: number,
): Promise<EventRecord[]> =>
  isIndexed(filter)
    ? db.read(selectEvents, server, filter, after, limit)
    : newestEvents(db, account, server, filter, after, limit);

const merged = (
  a: readonly AccountEventRecord[],
  b: readonly AccountEventRecord[],
  limit: number,
): AccountEventRecord[] => [...a, ...b].toSorted(newestFirst).slice(0, limit);

const newestFirst = (a: AccountEventRecord, b: AccountEventRecord): number =>
  timelineAt(b) - timelineAt(a) || (a.id < b.id ? 1 : -1);
