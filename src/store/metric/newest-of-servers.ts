import { sql, type Expression, type RawBuilder } from "kysely";
import type { TimePosition } from "../../core/position.ts";
import type { Instant } from "../../core/time.ts";
import { fromTop, type Dialect } from "../engine/query.ts";

export type NewestValues = {
  account: string;
  server: string | null;
  from: number;
  at: number;
  id: string;
  limit: number;
};

/** Bounds of a newest-first list: `from` inclusive, `to` exclusive. */
export const stretch = (
  { from, to }: { readonly from: Instant | null; readonly to: Instant | null },
  after: TimePosition | null,
): Pick<NewestValues, "from" | "at" | "id"> => ({
  from: from ?? 0,
  // The empty id sorts before all others, so the list starts with rows earlier than `to`.
  ...(after ?? (to === null ? fromTop : { at: to, id: "" })),
});

/** Whether to list all servers of the account; one server's rows are found without reading the others. */
export type ListedServers = "one server" | "all servers";

export const ofBoth = <T>(make: (whose: ListedServers) => T): Readonly<Record<ListedServers, T>> => ({
  "one server": make("one server"),
  "all servers": make("all servers"),
});

export const whoseOf = (server: string | null): ListedServers =>
  server === null ? "all servers" : "one server";

/** The form with which each database looks up the ids that a subquery finds per row. */
export const among = (id: Expression<string>, ids: Expression<unknown>, dialect: Dialect) =>
  dialect === "postgres" ? sql<boolean>`${id} = any(array${ids})` : sql<boolean>`${id} in ${ids}`;

/**
 * Ids of a page, newest first. `ofServer` finds that many ids of server `s` by an index, in order. One row
 * per server first shows which servers have the newest rows: only those can be on the page, and they are at
 * most as many as its rows. `canHave`: a condition that holds for all those servers `s`, by which few are tried.
 */
export const newestIds = (
  table: "profile_summary" | "memory_report" | "server_event",
  ofServer: (limit: number) => Expression<unknown>,
  $: NewestValues,
  dialect: Dialect,
  whose: ListedServers,
  canHave: RawBuilder<boolean> | null = null,
): RawBuilder<string> =>
  sql<string>`(select k.id from
    (select s.id from server as s join ${sql.table(table)} as k on ${among(sql.ref("k.id"), ofServer(1), dialect)}
      where s.account_id = ${$.account} ${whose === "one server" ? sql`and s.id = ${$.server}` : sql``}
        ${canHave === null ? sql`` : sql`and ${canHave}`}
      order by k.timeline_at desc, k.id desc limit ${$.limit}) as s
    join ${sql.table(table)} as k on ${among(sql.ref("k.id"), ofServer($.limit), dialect)}
    order by k.timeline_at desc, k.id desc limit ${$.limit})`;
