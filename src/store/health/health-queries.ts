import { sql } from "kysely";
import type { EventRecord } from "../../core/event/server-event.ts";
import { healthEventCategories, healthEventTypes } from "../../core/health/changes.ts";
import { blockSegments } from "../../core/metric/block/segment.ts";
import { utcDay, type Instant } from "../../core/time.ts";
import { all, one, type Work } from "../engine/database.ts";
import { listedIds } from "../engine/listed-ids.ts";
import { query } from "../engine/query.ts";
import { ofTypeSince } from "../event/event-page.ts";
import { serverEventTable } from "../event/server-event-table.ts";

type Span = { server: string; from: number; before: number };

const outermost = (direction: "asc" | "desc") =>
  query<Span>()((db, $) =>
    db
      .selectFrom("sample")
      .select("sampled_at as at")
      .where("server_id", "=", $.server)
      .where("sampled_at", ">=", $.from)
      .where("sampled_at", "<", $.before)
      .orderBy("sampled_at", direction)
      .limit(1),
  );

const firstRow = outermost("asc");
const lastRow = outermost("desc");

/** The first block with a point at or after an instant; below, the last block with a point before one. */
const nextBlock = query<{ server: string; day: number; from: number }>()((db, $) =>
  db
    .selectFrom("sample_block")
    .select("data")
    .where("server_id", "=", $.server)
    .where("day", ">=", $.day)
    .where("last_at", ">=", $.from)
    .orderBy("day")
    .limit(1),
);

const lastBlock = query<{ server: string; before: number }>()((db, $) =>
  db
    .selectFrom("sample_block")
    .select("data")
    .where("server_id", "=", $.server)
    .where("day", "<", $.before)
    .where("first_at", "<", $.before)
    .orderBy("day", "desc")
    .limit(1),
);

const always = { from: 0, before: Number.MAX_SAFE_INTEGER };

const ofServer = query<{ server: string; from: number; to: number; limit: number }>()((db, $, dialect) =>
  db
    .selectFrom(listedIds(dialect, JSON.stringify(healthEventTypes)).as("y"))
    .crossJoin("server_event as e")
    .select(serverEventTable.of("e"))
    .where(ofTypeSince(sql`${$.server}`, sql.ref("y.id"), sql`${$.from}`))
    .where("e.timeline_at", "<=", $.to)
    .where("e.category", "in", healthEventCategories)
    .orderBy("e.timeline_at", "desc")
    .orderBy("e.id", "desc")
    .limit($.limit),
);

function* blockTimeFrom(server: string, from: Instant): Work<Instant | null> {
  const block = yield* one(nextBlock, { server, day: utcDay(from), from });
  const [segment] = blockSegments(block?.data ?? new Uint8Array(0))
    .filter(({ last }) => last >= from)
    .toSorted((a, b) => a.first - b.first);
  if (segment === undefined) return null;
  return segment.first >= from ? segment.first : (segment.times().find((time) => time >= from) ?? null);
}

function* blockTimeBefore(server: string, before: Instant): Work<Instant | null> {
  const block = yield* one(lastBlock, { server, before });
  return block && lastTimeBefore(block.data, before);
}

/** The last time of a block before an instant. */
export function lastTimeBefore(data: Uint8Array, before: Instant): Instant | null {
  const [segment] = blockSegments(data)
    .filter(({ first }) => first < before)
    .toSorted((a, b) => b.last - a.last);
  if (segment === undefined) return null;
  return segment.last < before ? segment.last : (segment.times().findLast((time) => time < before) ?? null);
}

const known = (times: readonly (Instant | null | undefined)[]): Instant[] =>
  times.filter((at) => at !== null && at !== undefined);

export function* selectNextSampleTime(server: string, from: Instant): Work<Instant | null> {
  const found = known([
    yield* blockTimeFrom(server, from),
    (yield* one(firstRow, { ...always, server, from }))?.at,
  ]);
  return found.length === 0 ? null : Math.min(...found);
}

/** The oldest time of each table, without reading a block's bytes. */
const firstTime = query<{ server: string }>()((db, $) =>
  db.selectNoFrom((eb) => [
    eb
      .selectFrom("sample")
      .select("sampled_at")
      .where("server_id", "=", $.server)
      .orderBy("sampled_at")
      .limit(1)
      .as("sample"),
    eb
      .selectFrom("sample_block")
      .select("first_at")
      .where("server_id", "=", $.server)
      .orderBy("day")
      .limit(1)
      .as("block"),
  ]),
);

export function* selectFirstSampleTime(server: string): Work<Instant | null> {
  const found = yield* one(firstTime, { server });
  const times = known([found?.sample, found?.block]);
  return times.length === 0 ? null : Math.min(...times);
}

export function* selectLastSampleTime(server: string, before: Instant): Work<Instant | null> {
  const found = known([
    (yield* one(lastRow, { ...always, server, before }))?.at,
    yield* blockTimeBefore(server, before),
  ]);
  return found.length === 0 ? null : Math.max(...found);
}

/** Events that health is judged by (not moderation of players), newest first, both ends included. */
export function* selectServerEvents(
  server: string,
  { from, to }: { readonly from: Instant; readonly to: Instant },
  limit: number,
): Work<EventRecord[]> {
  return (yield* all(ofServer, { server, from, to, limit })).map(serverEventTable.toRecord);
}
