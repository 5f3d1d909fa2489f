import { blockExtent, blockSegments, type BlockSegment } from "../../core/metric/block/segment.ts";
import { dayMs, utcDay, type Instant } from "../../core/time.ts";
import { all, one, run, type Work } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { sampleBlockTable } from "./tables.ts";

const find = query<{ server: string; day: number }>()((db, $) =>
  db.selectFrom("sample_block").select("data").where("server_id", "=", $.server).where("day", "=", $.day),
);

/** Skips blocks that end before `from`: with the newest samples that is the day's, tens of kilobytes. */
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

/** `day`: its start. Empty if there is no block. */
export function* blockOf(server: string, day: Instant): Work<Uint8Array> {
  return (yield* one(find, { server, day }))?.data ?? new Uint8Array(0);
}

export function* saveBlock(server: string, day: Instant, data: Uint8Array): Work<void> {
  yield* run(upsert, { server_id: server, day, ...blockExtent(blockSegments(data)), data });
}

const remove = query<{ server: string; day: number }>()((db, $) =>
  db.deleteFrom("sample_block").where("server_id", "=", $.server).where("day", "=", $.day),
);

export function* removeBlock(server: string, day: Instant): Work<void> {
  yield* run(remove, { server, day });
}

/** The blocks' points in a part of a period. */
export interface BlockPart {
  readonly segments: readonly BlockSegment[];
  /** Blocks of all days before this instant were read. */
  readonly end: Instant;
}

/** Segments with points from `from` to before `to`, from at most `limit` blocks. */
export function* selectSegments(server: string, from: Instant, to: Instant, limit: number): Work<BlockPart> {
  const rows = yield* all(between, { server, day: utcDay(from), from, to, limit });
  const last = rows.at(-1);
  const end = last === undefined || rows.length < limit ? to : Math.min(to, last.day + dayMs);
  const segments = rows
    .flatMap(({ data }) => blockSegments(data))
    .filter((segment) => segment.last >= from && segment.first < end);
  return { segments, end };
}

/** Which of these times are already in blocks. Reads one block for each day. */
export function* selectSealedTimes(server: string, times: readonly Instant[]): Work<Set<Instant>> {
  const sealed = new Set<Instant>();
  for (const day of new Set(times.map(utcDay))) {
    const segments = blockSegments(yield* blockOf(server, day));
    const known = new Set(segments.flatMap((segment) => Array.from(segment.times())));
    for (const time of times) if (known.has(time)) sealed.add(time);
  }
  return sealed;
}
