import type { EventRecord } from "../../core/event/server-event.ts";
import type { EventFilter } from "../../core/event/event-filter.ts";
import type { TimePosition } from "../../core/position.ts";
import { sql } from "kysely";
import { type Work, all } from "../engine/database.ts";
import { serverEventTable } from "./server-event-table.ts";
import { fromTop, query } from "../engine/query.ts";

type ListValues = {
  server: string;
  from: number;
  category: string | null;
  severity: string | null;
  source: string | null;
  type: string | null;
  at: number;
  id: string;
  limit: number;
};

/** Newest first; a filter that is null is switched off. */
const list = query<ListValues>()((db, $) =>
  db
    .selectFrom("server_event as e")
    .select(serverEventTable.columns)
    .where("e.server_id", "=", $.server)
    .where("e.timeline_at", ">=", $.from)
    .where(sql<boolean>`(cast(${$.category} as text) is null or e.category = cast(${$.category} as text))`)
    .where(sql<boolean>`(cast(${$.severity} as text) is null or e.severity = cast(${$.severity} as text))`)
    .where(sql<boolean>`(cast(${$.source} as text) is null or e.source = cast(${$.source} as text))`)
    .where(sql<boolean>`(cast(${$.type} as text) is null or e.type = cast(${$.type} as text))`)
    .where(sql<boolean>`(e.timeline_at, e.id) < (${$.at}, ${$.id})`)
    .orderBy("e.timeline_at", "desc")
    .orderBy("e.id", "desc")
    .limit($.limit),
);

/** A server's timeline, newest first. */
export function* selectEvents(
  server: string,
  { from, to, category, severity, source, type }: EventFilter,
  after: TimePosition | null,
  limit: number,
): Work<EventRecord[]> {
  const filter = { from, category, severity, source, type };
  // No id comes before the empty one: the list begins with what is earlier than `to`.
  const start = after ?? (to === null ? fromTop : { at: to, id: "" });
  return (yield* all(list, { server, ...filter, ...start, limit })).map(serverEventTable.toRecord);
}
