import { sql, type Expression, type RawBuilder } from "kysely";
import type { EventFilter } from "../../core/event/event-filter.ts";
import type { TimePosition } from "../../core/position.ts";
import type { Builder } from "../engine/query.ts";
import { stretch, type NewestValues } from "../metric/newest-of-servers.ts";

/** What a timeline is narrowed by, each with an index; the first that is asked for finds the entries. */
const filtered = ["type", "source", "category", "severity"] as const;
type Filtered = (typeof filtered)[number];

export type FilterValues = Record<Filtered, string | null>;

/** From a position, inclusive, to another, exclusive, going back in time. */
type Bounds = Pick<NewestValues, "from" | "at" | "id"> & { fromId: string };
export type PageValues = FilterValues & Bounds & Pick<NewestValues, "limit">;

/** By which filter entries are found; by nothing but the period. */
export type FoundBy = Filtered | "nothing";

/** Whether the other filters are compared with each entry that is found. */
export type Compared = "all filters" | "one filter";

/** What `make` makes of each way to find entries. */
export const eachWay = <T>(make: (by: FoundBy) => T): Readonly<Record<FoundBy, T>> => ({
  nothing: make("nothing"),
  type: make("type"),
  source: make("source"),
  category: make("category"),
  severity: make("severity"),
});

/**
 * The entries of one value in a period are one stretch of the index that begins with the server and that column. They
 * are asked for as that stretch, in its order, and not by an equality: then no other index has the order, and whatever a
 * database knows of the data or does not, it cannot take the timeline for the cheaper one and read all of it. So the
 * service collects no statistics on SQLite (`ANALYZE`, `PRAGMA optimize`): with them it may plan a statement anew each
 * time its values change, and what it plans depends on when they were collected.
 */
function stretchOf($: PageValues, by: FoundBy): { from: RawBuilder<boolean>; to: RawBuilder<boolean> } {
  if (by === "nothing")
    return {
      from: sql<boolean>`(e.timeline_at, e.id) >= (${$.from}, ${$.fromId})`,
      to: sql<boolean>`(e.timeline_at, e.id) < (${$.at}, ${$.id})`,
    };
  const column = sql.ref(`e.${by}`);
  return {
    from: sql<boolean>`(${column}, e.timeline_at, e.id) >= (${$[by]}, ${$.from}, ${$.fromId})`,
    to: sql<boolean>`(${column}, e.timeline_at, e.id) < (${$[by]}, ${$.at}, ${$.id})`,
  };
}

/** Entries of one type of a server from an instant on, asked for as a page asks for them. */
export const ofTypeSince = (server: Expression<string>, type: Expression<string>, from: Expression<number>) =>
  sql<boolean>`(e.server_id = ${server} and (e.type, e.timeline_at) >= (${type}, ${from}) and e.type <= ${type})`;

/** A page of events, newest first; a filter that is null is switched off. */
export function page(db: Builder, $: PageValues, by: FoundBy, compared: Compared, limit: number) {
  const { from, to } = stretchOf($, by);
  let select = db.selectFrom("server_event as e").where(from).where(to);
  if (compared === "all filters")
    for (const column of filtered)
      if (column !== by)
        select = select.where(
          sql<boolean>`(cast(${$[column]} as text) is null or ${sql.ref(`e.${column}`)} = cast(${$[column]} as text))`,
        );
  if (by !== "nothing") select = select.orderBy(`e.${by}`, "desc");
  return select.orderBy("e.timeline_at", "desc").orderBy("e.id", "desc").limit(limit);
}

const asked = (filter: EventFilter): Filtered[] => filtered.filter((column) => filter[column] !== null);

/** By which filter entries are found: most of what happens is `info`. */
export function foundBy(filter: EventFilter): FoundBy {
  const [first = "nothing", ...others] = asked(filter);
  const isRare = filter.severity !== null && filter.severity !== "info";
  return first === "category" && others.length > 0 && isRare ? "severity" : first;
}

/** Whether an index alone finds what a filter leaves. */
export const isIndexed = (filter: EventFilter): boolean => asked(filter).length <= 1;

export const comparedBy = (filter: EventFilter): Compared =>
  isIndexed(filter) ? "one filter" : "all filters";

export const valuesOf = (
  { category, severity, source, type, ...period }: EventFilter,
  after: TimePosition | null,
  limit: number,
): PageValues => ({ category, severity, source, type, ...stretch(period, after), fromId: "", limit });
