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

/** The first or the last time in one of the tables, from `from` on and before `before`. */
const outermost = (table: "sample" | "sample_rollup", direction: "asc" | "desc") => {
  const time = table === "sample" ? "sampled_at" : "bucket_at";
  return query<Span>()((db, $) =>
    db
      .selectFrom(table)
      .select(`${time} as at`)
      .where("server_id", "=", $.server)
      .where(time, ">=", $.from)
      .where(time, "<", $.before)
      .orderBy(time, direction)
      .limit(1),
  );
};

const times = {
  asc: { samples: outermost("sample", "asc"), rollups: outermost("sample_rollup", "asc") },
  desc: { samples: outermost("sample", "desc"), rollups: outermost("sample_rollup", "desc") },
};

/** The first block with a point from an instant on, and the last one with a point before an instant. */
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

/** A stored point: a sample, or five minutes that an older version made of samples. */
interface StoredTime {
  readonly at: Instant;
  readonly rolled: boolean;
}

const always = { from: 0, before: Number.MAX_SAFE_INTEGER };

/** The entries that health is judged by. */
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

function* blockTimeFrom(server: string, from: Instant): Work<StoredTime | null> {
  const block = yield* one(nextBlock, { server, day: utcDay(from), from });
  const [segment] = blockSegments(block?.data ?? new Uint8Array(0))
    .filter(({ last }) => last >= from)
    .toSorted((a, b) => a.first - b.first);
  if (segment === undefined) return null;
  const at = segment.first >= from ? segment.first : segment.times().find((time) => time >= from);
  return at === undefined ? null : { at, rolled: segment.rolled };
}

function* blockTimeBefore(server: string, before: Instant): Work<StoredTime | null> {
  const block = yield* one(lastBlock, { server, before });
  const [segment] = blockSegments(block?.data ?? new Uint8Array(0))
    .filter(({ first }) => first < before)
    .toSorted((a, b) => b.last - a.last);
  if (segment === undefined) return null;
  const at = segment.last < before ? segment.last : segment.times().findLast((time) => time < before);
  return at === undefined ? null : { at, rolled: segment.rolled };
}

/** The first sample from an instant on, or the five minutes that it became a part of; null when there is none. */
export function* selectNextSampleTime(server: string, from: Instant): Work<Instant | null> {
  const span = { ...always, server, from };
  const found = [
    (yield* blockTimeFrom(server, from))?.at,
    (yield* one(times.asc.rollups, span))?.at,
    (yield* one(times.asc.samples, span))?.at,
  ].filter((at) => at !== undefined);
  return found.length === 0 ? null : Math.min(...found);
}

/** The oldest of each table; the bytes of a block need not be read for it. */
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
      .selectFrom("sample_rollup")
      .select("bucket_at")
      .where("server_id", "=", $.server)
      .orderBy("bucket_at")
      .limit(1)
      .as("rollup"),
    eb
      .selectFrom("sample_block")
      .select("first_at")
      .where("server_id", "=", $.server)
      .orderBy("day")
      .limit(1)
      .as("block"),
  ]),
);

/** The instant of a server's oldest sample that is kept; null when there is none. */
export function* selectFirstSampleTime(server: string): Work<Instant | null> {
  const found = yield* one(firstTime, { server });
  const times = [found?.sample, found?.rollup, found?.block].filter((at) => at !== null && at !== undefined);
  return times.length === 0 ? null : Math.min(...times);
}

/** The newest sample before an instant, or the five minutes that it became a part of; null when there is none. */
export function* selectLastSampleTime(server: string, before: Instant): Work<StoredTime | null> {
  const span = { ...always, server, before };
  const sample = yield* one(times.desc.samples, span);
  const rollup = yield* one(times.desc.rollups, span);
  const found = [
    ...(sample === null ? [] : [{ at: sample.at, rolled: false }]),
    ...(rollup === null ? [] : [{ at: rollup.at, rolled: true }]),
  ];
  const sealed = yield* blockTimeBefore(server, before);
  if (sealed !== null) found.push(sealed);
  return found.toSorted((a, b) => b.at - a.at || Number(b.rolled) - Number(a.rolled))[0] ?? null;
}

/** The timeline of a server without its players' moderation, newest first, both ends included. */
export function* selectServerEvents(
  server: string,
  { from, to }: { readonly from: Instant; readonly to: Instant },
  limit: number,
): Work<EventRecord[]> {
  return (yield* all(ofServer, { server, from, to, limit })).map(serverEventTable.toRecord);
}
