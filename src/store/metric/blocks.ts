import { blockSegments, type BlockSegment } from "../../core/metric/block/segment.ts";
import { rollupStart } from "../../core/metric/chunk.ts";
import { dayMs, utcDay, type Instant } from "../../core/time.ts";
import { all, one, run, type Work } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { sampleBlockTable } from "./tables.ts";

const find = query<{ server: string; day: number }>()((db, $) =>
  db.selectFrom("sample_block").select("data").where("server_id", "=", $.server).where("day", "=", $.day),
);

/** A block that ends before `from` is not read: of the newest samples that is the day's, with tens of kilobytes. */
const between = query<{ server: string; day: number; from: number; to: number; limit: number }>()((db, $) =>
  db
    .selectFrom("sample_block")
    .select(["day", "data"])
    .where("server_id", "=", $.server)
    .where("day", ">=", $.day)
    .where("last_at", ">=", $.from)
    .where("day", "<", $.to)
    .orderBy("day")
    .limit($.limit),
);

const upsert = query<RowOf<typeof sampleBlockTable>>()((db, $) =>
  db
    .insertInto("sample_block")
    .values(placesOf(sampleBlockTable.columns, $))
    .onConflict((conflict) =>
      conflict.columns(["server_id", "day"]).doUpdateSet((eb) => ({
        first_at: eb.ref("excluded.first_at"),
        last_at: eb.ref("excluded.last_at"),
        points: eb.ref("excluded.points"),
        data: eb.ref("excluded.data"),
      })),
    ),
);

/** The block of a server and a day (its start); no bytes where there is none. */
export function* blockOf(server: string, day: Instant): Work<Uint8Array> {
  return (yield* one(find, { server, day }))?.data ?? new Uint8Array(0);
}

/** Keeps a block in place of the one of that day. */
export function* saveBlock(server: string, day: Instant, data: Uint8Array): Work<void> {
  const segments = blockSegments(data);
  yield* run(upsert, {
    server_id: server,
    day,
    first_at: segments.reduce((first, segment) => Math.min(first, segment.first), Number.MAX_SAFE_INTEGER),
    last_at: segments.reduce((last, segment) => Math.max(last, segment.last), 0),
    points: segments.reduce((points, segment) => points + segment.length, 0),
    data,
  });
}

/** What a part of a period has in blocks. */
export interface BlockPart {
  readonly segments: readonly BlockSegment[];
  /** Blocks of every day before it were read. */
  readonly end: Instant;
}

/** The segments with points from `from` to `to` (exclusive), of so many blocks at most. */
export function* selectSegments(server: string, from: Instant, to: Instant, limit: number): Work<BlockPart> {
  const rows = yield* all(between, { server, day: utcDay(from), from, to, limit });
  const last = rows.at(-1);
  const end = last === undefined || rows.length < limit ? to : Math.min(to, last.day + dayMs);
  const segments = rows
    .flatMap(({ data }) => blockSegments(data))
    .filter((segment) => segment.last >= from && segment.first < end);
  return { segments, end };
}

const rolledStarts = query<{ server: string; from: number; to: number }>()((db, $) =>
  db
    .selectFrom("sample_rollup")
    .select("bucket_at as at")
    .where("server_id", "=", $.server)
    .where("bucket_at", ">=", $.from)
    .where("bucket_at", "<", $.to),
);

/** The times of one day that are known already: of sealed samples, and of the five minutes that samples were rolled up to. */
function* timesOfDay(server: string, day: Instant): Work<{ samples: Set<Instant>; rolled: Set<Instant> }> {
  const rows = yield* all(rolledStarts, { server, from: day, to: day + dayMs });
  const segments = blockSegments(yield* blockOf(server, day));
  const samples = new Set<Instant>();
  const rolled = new Set(rows.map(({ at }) => at));
  for (const segment of segments)
    for (const time of segment.times()) (segment.rolled ? rolled : samples).add(time);
  return { samples, rolled };
}

/** Which of these times are known outside of the table of samples; one block is read for each of their days. */
export function* selectSealedTimes(server: string, times: readonly Instant[]): Work<Set<Instant>> {
  const sealed = new Set<Instant>();
  for (const day of new Set(times.map(utcDay))) {
    const known = yield* timesOfDay(server, day);
    for (const time of times)
      if (known.samples.has(time) || known.rolled.has(rollupStart(time))) sealed.add(time);
  }
  return sealed;
}
