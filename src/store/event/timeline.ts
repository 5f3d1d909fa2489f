import { sql } from "kysely";
import type { EventFilter } from "../../core/event/event-filter.ts";
import type { AccountEventRecord, EventRecord } from "../../core/event/server-event.ts";
import type { TimePosition } from "../../core/position.ts";
import { type Work, all } from "../engine/database.ts";
import { query, type Builder } from "../engine/query.ts";
import {
  newestIds,
  ofBoth,
  whoseOf,
  type NewestValues,
  type ListedServers,
} from "../metric/newest-of-servers.ts";
import {
  comparedBy,
  eachWay,
  foundBy,
  page,
  valuesOf,
  type Compared,
  type FoundBy,
  type PageValues,
} from "./event-page.ts";
import { serverEventTable } from "./server-event-table.ts";

const listOfServer = (compared: Compared) => (by: FoundBy) =>
  query<PageValues & { server: string }>()((db, $) =>
    page(db, $, by, compared, $.limit).select(serverEventTable.columns).where("e.server_id", "=", $.server),
  );

const idsOfServer = (db: Builder, $: PageValues, by: FoundBy, limit: number) =>
  page(db, $, by, "one filter", limit)
    .select("e.id")
    .where(sql<boolean>`e.server_id = s.id`);

/**
 * A page has entries of servers whose newest entry of all is later than the page's beginning, and of the servers whose
 * newest entry comes next: as many as its rows.
 */
const amongNewest = ($: NewestValues) => sql<boolean>`s.last_event_at >= coalesce(
  (select n.last_event_at from server as n where n.account_id = ${$.account} and n.last_event_at < ${$.at}
    order by n.last_event_at desc limit 1 offset ${$.limit} - 1), 0)`;

const listOfAccount = (whose: ListedServers) => (by: FoundBy) =>
  query<PageValues & NewestValues>()((db, $, dialect) =>
    db
      .selectFrom("server_event as e")
      .innerJoin("server as s", "s.id", "e.server_id")
      .select(serverEventTable.of("e"))
      .select("s.name as server_name")
      .where(
        "e.id",
        "in",
        newestIds(
          "server_event",
          (limit) => idsOfServer(db, $, by, limit),
          $,
          dialect,
          whose,
          whose === "all servers" && by === "nothing" ? amongNewest($) : null,
        ),
      )
      .orderBy("e.timeline_at", "desc")
      .orderBy("e.id", "desc"),
  );

const ofServer = {
  "one filter": eachWay(listOfServer("one filter")),
  "all filters": eachWay(listOfServer("all filters")),
};
const ofAccount = ofBoth((whose) => eachWay(listOfAccount(whose)));

export function* selectEvents(
  server: string,
  filter: EventFilter,
  after: TimePosition | null,
  limit: number,
): Work<EventRecord[]> {
  const list = ofServer[comparedBy(filter)][foundBy(filter)];
  return (yield* all(list, { server, ...valuesOf(filter, after, limit) })).map(serverEventTable.toRecord);
}

/** With at most one filter; several need `selectSlice`. */
export function* selectAccountEvents(
  account: string,
  server: string | null,
  filter: EventFilter,
  after: TimePosition | null,
  limit: number,
): Work<AccountEventRecord[]> {
  const values = { account, server, ...valuesOf(filter, after, limit) };
  const rows = yield* all(ofAccount[whoseOf(server)][foundBy(filter)], values);
  return rows.map((row) => Object.assign(serverEventTable.toRecord(row), { serverName: row.server_name }));
}
