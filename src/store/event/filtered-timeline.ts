import { sql } from "kysely";
import type { EventFilter } from "../../core/event/event-filter.ts";
import type { AccountEventRecord } from "../../core/event/server-event.ts";
import type { TimePosition } from "../../core/position.ts";
import { type Work, all, one } from "../engine/database.ts";
import { query } from "../engine/query.ts";
import { among } from "../metric/newest-of-servers.ts";
import { eachWay, foundBy, page, valuesOf, type FoundBy, type PageValues } from "./event-page.ts";
import { serverEventTable } from "./server-event-table.ts";

/** A range of an account's servers in id order, both ends included. */
export type ServerRun = { readonly first: string; readonly last: string; readonly servers: number };

type SliceValues = PageValues & Pick<ServerRun, "first" | "last"> & { account: string };

const ofAccount = query<{ account: string; after: string; limit: number }>()((db, $) =>
  db
    .selectFrom("server")
    .select("id")
    .where("account_id", "=", $.account)
    .where("id", ">", $.after)
    .orderBy("id")
    .limit($.limit),
);

export function* selectServerRun(account: string, after: string, limit: number): Work<ServerRun | null> {
  const rows = yield* all(ofAccount, { account, after, limit });
  const [first, last] = [rows[0], rows.at(-1)];
  return first && last ? { first: first.id, last: last.id, servers: rows.length } : null;
}

export const runOfOne = (server: string): ServerRun => ({ first: server, last: server, servers: 1 });

const sliceEnd = (by: FoundBy) =>
  query<SliceValues & { depth: number }>()((db, $, dialect) => {
    const deepest = page(db, $, by, "one filter", 1)
      .offset($.depth)
      .select("e.id")
      .where(sql<boolean>`e.server_id = s.id`);
    return db
      .selectFrom("server as s")
      .innerJoin("server_event as k", (join) => join.on(among(sql.ref("k.id"), deepest, dialect)))
      .select(["k.timeline_at as at", "k.id"])
      .where("s.account_id", "=", $.account)
      .where("s.id", ">=", $.first)
      .where("s.id", "<=", $.last)
      .orderBy("k.timeline_at", "desc")
      .orderBy("k.id", "desc")
      .limit(sql.lit(1));
  });

const slice = (by: FoundBy) =>
  query<SliceValues>()((db, $) =>
    page(db, $, by, "all filters", $.limit)
      .innerJoin("server as s", "s.id", "e.server_id")
      .select(serverEventTable.of("e"))
      .select("s.name as server_name")
      .where("s.account_id", "=", $.account)
      .where("s.id", ">=", $.first)
      .where("s.id", "<=", $.last),
  );

const ends = eachWay(sliceEnd);
const slices = eachWay(slice);

export type Slice = { readonly rows: AccountEventRecord[]; readonly next: TimePosition | null };

/**
 * The newest matching entries among the latest `depth` index entries of each server. `next`: the position
 * from which the rest follows; null at the end.
 */
export function* selectSlice(
  account: string,
  run: ServerRun,
  filter: EventFilter,
  after: TimePosition | null,
  limit: number,
  depth: number,
): Work<Slice> {
  const by = foundBy(filter);
  const { first, last } = run;
  const values = { account, first, last, ...valuesOf(filter, after, limit) };
  const end = yield* one(ends[by], { ...values, depth });
  const rows = yield* all(slices[by], end === null ? values : { ...values, from: end.at, fromId: end.id });
  return {
    rows: rows.map((row) => Object.assign(serverEventTable.toRecord(row), { serverName: row.server_name })),
    next: end,
  };
}
