import { EventCategory, EventSeverity, timelineAt, type EventRecord } from "../../core/event/server-event.ts";
import { bulk, insertAll } from "../engine/bulk.ts";
import type { Result, Step } from "../engine/database.ts";
import type { Tables } from "../schema/tables.ts";

type Row = Tables["server_event"];

export const eventColumns = [
  "id",
  "server_id",
  "local_id",
  "type",
  "category",
  "source",
  "severity",
  "title",
  "description",
  "metadata",
  "happened_at",
  "timeline_at",
  "duration_ms",
  "received_at",
] as const satisfies readonly (keyof Row)[];

/** JSON text has an escape for what PostgreSQL keeps in no text: U+0000 and half a surrogate pair. */
const rowOf = (event: EventRecord): Pick<Row, (typeof eventColumns)[number]> => ({
  id: event.id,
  server_id: event.serverId,
  local_id: event.localId,
  type: event.type,
  category: event.category,
  source: event.source,
  severity: event.severity,
  title: event.title,
  description: event.description,
  metadata: event.metadata === null ? null : JSON.stringify(event.metadata),
  happened_at: event.happenedAt,
  timeline_at: timelineAt(event),
  duration_ms: event.durationMs,
  received_at: event.receivedAt,
});

const metadataFrom = (json: string): unknown => JSON.parse(json);

export const toEvent = (row: Row): EventRecord => ({
  id: row.id,
  serverId: row.server_id,
  localId: row.local_id,
  type: row.type,
  category: EventCategory.parse(row.category),
  source: row.source,
  severity: EventSeverity.parse(row.severity),
  title: row.title,
  description: row.description,
  metadata: row.metadata === null ? null : metadataFrom(row.metadata),
  happenedAt: row.happened_at,
  durationMs: row.duration_ms,
  receivedAt: row.received_at,
});

/** The same server and local id is the same event: the first one stays. */
const insert = bulk<ReturnType<typeof rowOf>>(eventColumns)((db, rows) =>
  db
    .insertInto("server_event")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["server_id", "local_id"]).doNothing())
    .returning("id"),
);

/** By local id, so that two uploads that overlap never wait for each other in a circle. */
const byLocalId = (a: EventRecord, b: EventRecord): number => {
  const [one, other] = [a.localId ?? "", b.localId ?? ""];
  return one < other ? -1 : Number(one > other);
};

/** Enters events into timelines; answers those that were not there before, in the order given. */
export function* storeEvents(events: readonly EventRecord[]): Generator<Step, EventRecord[], Result> {
  const { returned } = yield* insertAll(insert, events.toSorted(byLocalId).map(rowOf));
  const stored = new Set(returned.map(({ id }) => id));
  return events.filter(({ id }) => stored.has(id));
}
