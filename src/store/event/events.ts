import { timelineAt, type EventRecord } from "../../core/event/server-event.ts";
import { groupedBy } from "../../core/grouped.ts";
import { bulk, insertAll } from "../engine/bulk.ts";
import { run, type Work } from "../engine/database.ts";
import { query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { serverEventTable } from "./server-event-table.ts";

const rowOf = (event: EventRecord): RowOf<typeof serverEventTable> =>
  Object.assign(serverEventTable.toRow(event), { timeline_at: timelineAt(event) });

/** Server and local id identify an event; a stored one is not replaced. */
const insert = bulk<RowOf<typeof serverEventTable>>(serverEventTable.columns)((db, rows) =>
  db
    .insertInto("server_event")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["server_id", "local_id"]).doNothing())
    .returning("id"),
);

/** The time of a server's newest entry, by which lists of all servers find those that they show. */
const moveLast = query<{ server: string; at: number }>()((db, $) =>
  db
    .updateTable("server")
    .set({ last_event_at: $.at })
    .where("id", "=", $.server)
    .where((eb) => eb.or([eb("last_event_at", "is", null), eb("last_event_at", "<", $.at)])),
);

const revise = query<{ id: string; metadata: string }>()((db, $) =>
  db.updateTable("server_event").set({ metadata: $.metadata }).where("id", "=", $.id),
);

/** Stores the metadata of an entry of the service anew. */
export function* reviseEvent({ id, metadata }: EventRecord): Work<void> {
  yield* run(revise, { id, metadata: JSON.stringify(metadata) });
}

/** Sorted by local id, so that two overlapping uploads cannot deadlock. */
const byLocalId = (a: EventRecord, b: EventRecord): number => {
  const [one, other] = [a.localId ?? "", b.localId ?? ""];
  return one < other ? -1 : Number(one > other);
};

/** Inserts events of servers that are locked; returns those that were not stored before, in the given order. */
export function* storeEvents(events: readonly EventRecord[]): Work<EventRecord[]> {
  const { returned } = yield* insertAll(insert, events.toSorted(byLocalId).map(rowOf));
  const stored = new Set(returned.map(({ id }) => id));
  const fresh = events.filter(({ id }) => stored.has(id));
  for (const [server, of] of groupedBy(fresh, ({ serverId }) => serverId))
    yield* run(moveLast, { server, at: Math.max(...of.map(timelineAt)) });
  return fresh;
}
