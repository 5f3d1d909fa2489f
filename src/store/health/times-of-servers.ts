import { sql } from "kysely";
import { groupedBy } from "../../core/grouped.ts";
import { blockSegments } from "../../core/metric/block/segment.ts";
import { utcDay, type Instant } from "../../core/time.ts";
import { all, type Work } from "../engine/database.ts";
import { listedIds } from "../engine/listed-ids.ts";
import { query } from "../engine/query.ts";
import { lastTimeBefore } from "./health-queries.ts";

/** Most rows of one statement: 3 to 5 ms of the thread on SQLite. */
const rowsAtOnce = 10_000;

const rowsOf = query<{ ids: string; from: number; to: number; limit: number }>()((db, $, dialect) =>
  db
    .selectFrom(listedIds(dialect, $.ids).as("w"))
    .crossJoin("sample as x")
    .select(["x.server_id", "x.sampled_at as at"])
    .whereRef("x.server_id", "=", "w.id")
    .where("x.sampled_at", ">=", $.from)
    .where("x.sampled_at", "<", $.to)
    .limit($.limit),
);

const blocksOf = query<{ ids: string; day: number; from: number; to: number }>()((db, $, dialect) =>
  db
    .selectFrom(listedIds(dialect, $.ids).as("w"))
    .crossJoin("sample_block as b")
    .select(["b.server_id", "b.data"])
    .whereRef("b.server_id", "=", "w.id")
    .where("b.day", ">=", $.day)
    .where("b.last_at", ">=", $.from)
    .where("b.day", "<", $.to),
);

const lastRows = query<{ ids: string; before: number }>()((db, $, dialect) =>
  db.selectFrom(listedIds(dialect, $.ids).as("w")).select([
    "w.id",
    sql<number | null>`(select x.sampled_at from sample as x
        where x.server_id = w.id and x.sampled_at < ${$.before}
        order by x.sampled_at desc limit 1)`.as("at"),
  ]),
);

const lastBlocks = query<{ ids: string; before: number }>()((db, $, dialect) =>
  db
    .selectFrom(listedIds(dialect, $.ids).as("w"))
    .crossJoin("sample_block as b")
    .select(["b.server_id", "b.data"])
    .whereRef("b.server_id", "=", "w.id")
    .where(
      sql<boolean>`b.day = (select x.day from sample_block as x
        where x.server_id = w.id and x.day < ${$.before} and x.first_at < ${$.before}
        order by x.day desc limit 1)`,
    ),
);

/** The last sample of each server before an instant; servers without one are absent. */
export function* selectLastSampleTimes(ids: readonly string[], before: Instant): Work<Map<string, Instant>> {
  const listed = { ids: JSON.stringify(ids), before };
  const last = new Map<string, Instant>();
  const add = (id: string, at: Instant | null): void => {
    if (at !== null) last.set(id, Math.max(at, last.get(id) ?? at));
  };
  for (const { id, at } of yield* all(lastRows, listed)) add(id, at);
  for (const { server_id, data } of yield* all(lastBlocks, listed))
    add(server_id, lastTimeBefore(data, before));
  return last;
}

/**
 * The times of the samples in a period of a few days, by server; null if there are more rows than are read at once.
 * Both tables are read at one moment, because rows become parts of blocks meanwhile.
 */
export function* selectSampleTimes(
  ids: readonly string[],
  from: Instant,
  to: Instant,
): Work<Map<string, Float64Array[]> | null> {
  const listed = { ids: JSON.stringify(ids), from, to };
  const rows = yield* all(rowsOf, { ...listed, limit: rowsAtOnce });
  if (rows.length >= rowsAtOnce) return null;
  const parts = new Map<string, Float64Array[]>();
  const add = (id: string, times: Float64Array): void => {
    const known = parts.get(id);
    if (known) known.push(times);
    else parts.set(id, [times]);
  };
  for (const { server_id, data } of yield* all(blocksOf, { ...listed, day: utcDay(from) }))
    for (const segment of blockSegments(data))
      if (segment.last >= from && segment.first < to) add(server_id, inPeriod(segment.times(), from, to));
  for (const [id, ofServer] of groupedBy(rows, ({ server_id }) => server_id))
    add(
      id,
      Float64Array.from(ofServer, ({ at }) => at),
    );
  return parts;
}

const inPeriod = (times: Float64Array, from: Instant, to: Instant): Float64Array =>
  (times[0] ?? to) >= from && (times.at(-1) ?? from) < to
    ? times
    : times.filter((at) => at >= from && at < to);
