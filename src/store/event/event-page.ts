import { sql, type Expression, type RawBuilder } from "kysely";
import type { EventFilter } from "../../core/event/event-filter.ts";
import type { TimePosition } from "../../core/position.ts";
import type { Builder } from "../engine/query.ts";
import { stretch, type NewestValues } from "../metric/newest-of-servers.ts";

/** Filters of a timeline. Each has an index; the first one in use finds the entries. */
const filtered = ["type", "source", "category", "severity"] as const;
type Filtered = (typeof filtered)[number];

export type FilterValues = Record<Filtered, string | null>;

/** From a position (inclusive) to a later one (exclusive). */
type Bounds = Pick<NewestValues, "from" | "at" | "id"> & { fromId: string };
export type PageValues = FilterValues & Bounds & Pick<NewestValues, "limit">;

/** The filter whose index finds the entries; "nothing": only the period. */
export type FoundBy = Filtered | "nothing";

/** Whether the remaining filters are compared with each entry found. */
export type Compared = "all filters" | "one filter";

export const eachWay = <T>(make: (by: FoundBy) => T): Readonly<Record<FoundBy, T>> => ({
  nothing: make("nothing"),
  type: make("type"),
  source: make("source"),
  category: make("category"),
  severity: make("severity"),
});

/**
 * Entries with one value in a period form one range of the index (server, column, time). The condition is a
 * row comparison in that order, not an equality: no other index then gives the order, so no database can
 * choose the timeline index and read all of it, whatever its statistics. So the service collects no
 * statistics on SQLite (`ANALYZE`, `PRAGMA optimize`): plans would depend on values and on when they were
 * collected.
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

/** Entries of one type of a server since an instant; the same form as `stretchOf`, for the same index. */
export const ofTypeSince = (server: Expression<string>, type: Expression<string>, from: Expression<number>) =>
  sql<boolean>`(e.server_id = ${server} and (e.type, e.timeline_at) >= (${type}, ${from}) and e.type <= ${type})`;

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

/** Chooses the filter whose index is used. Most entries are `info`, so severity then finds too many. */
export function foundBy(filter: EventFilter): FoundBy {
  const [first = "nothing", ...others] = asked(filter);
  const isRare = filter.severity !== null && filter.severity !== "info";
  return first === "category" && others.length > 0 && isRare ? "severity" : first;
}

/** Whether one index finds exactly the filtered entries. */
export const isIndexed = (filter: EventFilter): boolean => asked(filter).length <= 1;

export const comparedBy = (filter: EventFilter): Compared =>
  isIndexed(filter) ? "one filter" : "all filters";

export const valuesOf = (
  { category, severity, source, type, ...period }: EventFilter,
  after: TimePosition | null,
  limit: number,
): PageValues => ({ category, severity, source, type, ...stretch(period, after), fromId: "", limit });
