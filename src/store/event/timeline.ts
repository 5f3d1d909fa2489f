import { sql } from "kysely";
import type { EventStore } from "../../core/event/store.ts";
import { all, type Database } from "../engine/database.ts";
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

export function eventReads(db: Database): Pick<EventStore, "list"> {
  return {
    list: (server, { from, to, category, severity, source, type }, after, limit) =>
      db.read(function* () {
        const filter = { from, category, severity, source, type };
        // No id comes before the empty one: the list begins with what is earlier than `to`.
        const start = after ?? (to === null ? fromTop : { at: to, id: "" });
        return (yield* all(list, { server, ...filter, ...start, limit })).map(serverEventTable.toRecord);
      }),
  };
}
