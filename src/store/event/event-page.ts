import { sql } from "kysely";
import type { EventFilter } from "../../core/event/event-filter.ts";
import type { TimePosition } from "../../core/position.ts";
import type { Builder } from "../engine/query.ts";
import { stretch, type NewestValues } from "../metric/newest-of-servers.ts";

export type FilterValues = {
  category: string | null;
  severity: string | null;
  source: string | null;
  type: string | null;
};

export type PageValues = FilterValues & Pick<NewestValues, "from" | "at" | "id" | "limit">;

/** Whether an event's type is asked for: an index finds it then, however rare it is. */
export type Typed = "any type" | "one type";

/** A page of events, newest first; a filter that is null is switched off. */
export function page(db: Builder, $: PageValues, typed: Typed, limit: number) {
  const ofAnyType = db
    .selectFrom("server_event as e")
    .where("e.timeline_at", ">=", $.from)
    .where(sql<boolean>`(cast(${$.category} as text) is null or e.category = cast(${$.category} as text))`)
    .where(sql<boolean>`(cast(${$.severity} as text) is null or e.severity = cast(${$.severity} as text))`)
    .where(sql<boolean>`(cast(${$.source} as text) is null or e.source = cast(${$.source} as text))`)
    .where(sql<boolean>`(e.timeline_at, e.id) < (${$.at}, ${$.id})`)
    .orderBy("e.timeline_at", "desc")
    .orderBy("e.id", "desc")
    .limit(limit);
  return typed === "any type" ? ofAnyType : ofAnyType.where("e.type", "=", $.type);
}

export const typedBy = ({ type }: EventFilter): Typed => (type === null ? "any type" : "one type");

export const valuesOf = (
  { category, severity, source, type, ...period }: EventFilter,
  after: TimePosition | null,
  limit: number,
): PageValues => ({ category, severity, source, type, ...stretch(period, after), limit });
