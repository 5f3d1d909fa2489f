import { sql } from "kysely";
import type { EventFilter } from "../../core/event/event-filter.ts";
import type { AccountEventRecord, EventRecord } from "../../core/event/server-event.ts";
import type { TimePosition } from "../../core/position.ts";
import { type Work, all } from "../engine/database.ts";
import { query, type Builder } from "../engine/query.ts";
import { newestIds, type NewestValues } from "../metric/newest-of-servers.ts";
import { page, typedBy, valuesOf, type FilterValues, type PageValues, type Typed } from "./event-page.ts";
import { serverEventTable } from "./server-event-table.ts";

const listOfServer = (typed: Typed) =>
  query<PageValues & { server: string }>()((db, $) =>
    page(db, $, typed, $.limit).select(serverEventTable.columns).where("e.server_id", "=", $.server),
  );

const idsOfServer = (db: Builder, $: PageValues, typed: Typed, limit: number) =>
  page(db, $, typed, limit)
    .select("e.id")
    .where(sql<boolean>`e.server_id = s.id`);

const listOfAccount = (typed: Typed) =>
  query<FilterValues & NewestValues>()((db, $, dialect) =>
    db
      .selectFrom("server_event as e")
      .innerJoin("server as s", "s.id", "e.server_id")
      .select(serverEventTable.of("e"))
      .select("s.name as server_name")
      .where(
        "e.id",
        "in",
        newestIds("server_event", (limit) => idsOfServer(db, $, typed, limit), $, dialect),
      )
      .orderBy("e.timeline_at", "desc")
      .orderBy("e.id", "desc"),
  );

const ofServer = { "any type": listOfServer("any type"), "one type": listOfServer("one type") };
const ofAccount = { "any type": listOfAccount("any type"), "one type": listOfAccount("one type") };

/** A server's timeline, newest first. */
export function* selectEvents(
  server: string,
  filter: EventFilter,
  after: TimePosition | null,
  limit: number,
): Work<EventRecord[]> {
  return (yield* all(ofServer[typedBy(filter)], { server, ...valuesOf(filter, after, limit) })).map(
    serverEventTable.toRecord,
  );
}

/** The timeline of the account's servers, or of one of them, newest first. */
export function* selectAccountEvents(
  account: string,
  server: string | null,
  filter: EventFilter,
  after: TimePosition | null,
  limit: number,
): Work<AccountEventRecord[]> {
  const rows = yield* all(ofAccount[typedBy(filter)], { account, server, ...valuesOf(filter, after, limit) });
  return rows.map((row) => Object.assign(serverEventTable.toRecord(row), { serverName: row.server_name }));
}
