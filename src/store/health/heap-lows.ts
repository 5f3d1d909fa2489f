import { sql } from "kysely";
import type { HeapLow } from "../../core/health/memory-growth.ts";
import { heapLowMs } from "../../core/health/memory-growth.ts";
import type { Instant } from "../../core/time.ts";
import { all, type Work } from "../engine/database.ts";
import { query } from "../engine/query.ts";

/** So many samples, or rows of five minutes, are needed for the least of them to say something. */
const leastPoints = 20;

/** Whole numbers divide without a rest in both dialects. */
const windowOf = (column: "sampled_at" | "bucket_at") =>
  sql<number>`${sql.ref(column)} / ${sql.lit(heapLowMs)}`;

/** The least heap of each six hours in one statement: of samples, and of the rows that older ones became. */
const lows = query<{ server: string; from: number; to: number }>()((db, $) =>
  db
    .selectFrom(
      db
        .selectFrom("sample")
        .select([windowOf("sampled_at").as("place"), "heap_after_gc_mb as mb"])
        .where("server_id", "=", $.server)
        .where("sampled_at", ">=", $.from)
        .where("sampled_at", "<", $.to)
        .where("heap_after_gc_mb", "is not", null)
        .unionAll(
          db
            .selectFrom("sample_rollup")
            .select([windowOf("bucket_at").as("place"), "heap_after_gc_mb_min as mb"])
            .where("server_id", "=", $.server)
            .where("bucket_at", ">=", $.from)
            .where("bucket_at", "<", $.to)
            .where("heap_after_gc_mb_min", "is not", null),
        )
        .as("points"),
    )
    .select(["place", sql<number>`min(mb)`.as("mb")])
    .groupBy("place")
    .having(sql<boolean>`count(*) >= ${sql.lit(leastPoints)}`)
    .orderBy("place"),
);

/** The least heap after a collection in each whole six hours (UTC) between two instants, in order of time. */
export function* selectHeapLows(server: string, from: Instant, to: Instant): Work<HeapLow[]> {
  const whole = {
    from: Math.ceil(from / heapLowMs) * heapLowMs,
    to: Math.floor(to / heapLowMs) * heapLowMs,
  };
  const rows = yield* all(lows, { server, ...whole });
  return rows.map(({ place, mb }) => ({ at: place * heapLowMs, mb }));
}
