import { sql } from "kysely";
import type { EventFilter } from "../../core/event/event-filter.ts";
import type { AccountEventRecord } from "../../core/event/server-event.ts";
import type { TimePosition } from "../../core/position.ts";
import { type Work, all, one } from "../engine/database.ts";
import { query } from "../engine/query.ts";
import { page, typedBy, valuesOf, type PageValues, type Typed } from "./event-page.ts";
import { serverEventTable } from "./server-event-table.ts";

/** A run of an account's servers in the order of their ids, both ends included. */
export type ServerRun = { readonly first: string; readonly last: string };

type SliceValues = PageValues & ServerRun & { account: string };

const ofAccount = query<{ account: string; server: string | null; after: string; limit: number }>()((db, $) =>
  db
    .selectFrom("server as s")
    .select("s.id")
    .where("s.account_id", "=", $.account)
    .where(sql<boolean>`(cast(${$.server} as text) is null or s.id = ${$.server})`)
    .where("s.id", ">", $.after)
    .orderBy("s.id")
    .limit($.limit),
);

/** The next servers of the account, or the one asked for; null after the last. */
export function* selectServerRun(
  account: string,
  server: string | null,
  after: string,
  limit: number,
): Work<ServerRun | null> {
  const rows = yield* all(ofAccount, { account, server, after, limit });
  const [first, last] = [rows[0], rows.at(-1)];
  return first && last ? { first: first.id, last: last.id } : null;
}

const sliceEnd = (typed: Typed) =>
  query<SliceValues & { depth: number }>()((db, $) => {
    const deepest = page(db, $, typed, 1)
      .offset($.depth)
      .select("e.timeline_at")
      .where(sql<boolean>`e.server_id = s.id`);
    return db
      .selectFrom("server as s")
      .select(sql<number | null>`max(${deepest})`.as("end"))
      .where("s.account_id", "=", $.account)
      .where("s.id", ">=", $.first)
      .where("s.id", "<=", $.last);
  });

const slice = (typed: Typed) =>
  query<SliceValues>()((db, $) =>
    page(db, $, typed, $.limit)
      .innerJoin("server as s", "s.id", "e.server_id")
      .select(serverEventTable.of("e"))
      .select("s.name as server_name")
      .where("s.account_id", "=", $.account)
      .where("s.id", ">=", $.first)
      .where("s.id", "<=", $.last),
  );

const ends = { "any type": sliceEnd("any type"), "one type": sliceEnd("one type") };
const slices = { "any type": slice("any type"), "one type": slice("one type") };

export type Slice = { readonly rows: AccountEventRecord[]; readonly next: TimePosition | null };

/**
 * The newest entries by a filter among the latest `depth` of each server of the run, and the position from which the
 * rest follows; `next` is null at the end. Entries of one millisecond are never divided.
 */
export function* selectSlice(
  account: string,
  run: ServerRun,
  filter: EventFilter,
  after: TimePosition | null,
  limit: number,
  depth: number,
): Work<Slice> {
  const typed = typedBy(filter);
  const values = { account, ...run, ...valuesOf(filter, after, limit) };
  const unfiltered = { category: null, severity: null, source: null };
  const end = (yield* one(ends[typed], { ...values, ...unfiltered, depth }))?.end ?? null;
  const rows = yield* all(slices[typed], { ...values, from: end ?? values.from });
  return {
    rows: rows.map((row) => Object.assign(serverEventTable.toRecord(row), { serverName: row.server_name })),
    next: end === null ? null : { at: end, id: "" },
  };
}
