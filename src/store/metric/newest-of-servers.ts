import { sql, type Expression, type RawBuilder } from "kysely";
import type { TimePosition } from "../../core/position.ts";
import type { Instant } from "../../core/time.ts";
import { fromTop, type Dialect } from "../engine/query.ts";

/** A page of the newest rows of one server, or of all of an account's. */
export type NewestValues = {
  account: string;
  server: string | null;
  from: number;
  at: number;
  id: string;
  limit: number;
};

/** Where a newest-first list from `from`, inclusive, to `to`, exclusive, begins and ends. */
export const stretch = (
  { from, to }: { readonly from: Instant | null; readonly to: Instant | null },
  after: TimePosition | null,
): Pick<NewestValues, "from" | "at" | "id"> => ({
  from: from ?? 0,
  // No id comes before the empty one: the list begins with what is earlier than `to`.
  ...(after ?? (to === null ? fromTop : { at: to, id: "" })),
});

/** Whether rows of all servers of the account are listed; of one of them they are found without a look at the others. */
export type ListedServers = "one server" | "all servers";

export const ofBoth = <T>(make: (whose: ListedServers) => T): Readonly<Record<ListedServers, T>> => ({
  "one server": make("one server"),
  "all servers": make("all servers"),
});

export const whoseOf = (server: string | null): ListedServers =>
  server === null ? "all servers" : "one server";

/** Each dialect's way to look up the ids that a query finds for the row before it. */
export const among = (id: Expression<string>, ids: Expression<unknown>, dialect: Dialect) =>
  dialect === "postgres" ? sql<boolean>`${id} = any(array${ids})` : sql<boolean>`${id} in ${ids}`;

/**
 * The ids of a page of a table, newest first. `ofServer` finds so many of the server `s` by an index, in order. A page
 * has rows of the servers whose newest rows are the newest alone: of each server one row is read, and a page of no more
 * servers than a page has rows, however many rows they have.
 */
export const newestIds = (
  table: "profile_summary" | "memory_report" | "server_event",
  ofServer: (limit: number) => Expression<unknown>,
  $: NewestValues,
  dialect: Dialect,
  whose: ListedServers,
): RawBuilder<string> =>
  sql<string>`(select k.id from
    (select s.id from server as s join ${sql.table(table)} as k on ${among(sql.ref("k.id"), ofServer(1), dialect)}
      where s.account_id = ${$.account} ${whose === "one server" ? sql`and s.id = ${$.server}` : sql``}
      order by k.timeline_at desc, k.id desc limit ${$.limit}) as s
    join ${sql.table(table)} as k on ${among(sql.ref("k.id"), ofServer($.limit), dialect)}
    order by k.timeline_at desc, k.id desc limit ${$.limit})`;
