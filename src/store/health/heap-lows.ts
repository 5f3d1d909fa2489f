import { sql } from "kysely";
import { type HeapLow, heapLowMs } from "../../core/health/memory-growth.ts";
import { fieldColumn, type BlockSegment } from "../../core/metric/block/segment.ts";
import type { Instant } from "../../core/time.ts";
import { all, type Work } from "../engine/database.ts";
import { query } from "../engine/query.ts";
import { selectSegments } from "../metric/blocks.ts";

/** With fewer samples the minimum of six hours says little. */
const leastPoints = 20;

/** The minimum heap of each six hours; integer division truncates in both databases. */
const lows = query<{ server: string; from: number; to: number }>()((db, $) =>
  db
    .selectFrom("sample")
    .select([
      sql<number>`sampled_at / ${sql.lit(heapLowMs)}`.as("place"),
      sql<number>`min(heap_after_gc_mb)`.as("mb"),
      sql<number>`count(*)`.as("points"),
    ])
    .where("server_id", "=", $.server)
    .where("sampled_at", ">=", $.from)
    .where("sampled_at", "<", $.to)
    .where("heap_after_gc_mb", "is not", null)
    .groupBy("place"),
);

/** Most blocks read at once: enough for the longest period that callers ask for. */
const mostBlocks = 32;

interface Low {
  readonly place: number;
  readonly mb: number;
  readonly points: number;
}

const placeOf = (at: Instant): number => Math.floor(at / heapLowMs);

/** Minimum heap of a segment by parts of six hours; most segments lie in one part. */
function* lowsIn(segment: BlockSegment, from: Instant, to: Instant): Generator<Low> {
  const column = segment.column(fieldColumn("heap_after_gc_mb"));
  if (column === null) return;
  const { min, count } = column.totals;
  const isWhole = segment.first >= from && segment.last < to;
  if (isWhole && placeOf(segment.first) === placeOf(segment.last))
    return yield { place: placeOf(segment.first), mb: min, points: count };
  const values = column.values();
  for (const [index, at] of segment.times().entries()) {
    const mb = values[index] ?? Number.NaN;
    if (at >= from && at < to && !Number.isNaN(mb)) yield { place: placeOf(at), mb, points: 1 };
  }
}

/** The minimum heap after GC in each complete six hours (UTC) between two instants, in time order. */
export function* selectHeapLows(server: string, from: Instant, to: Instant): Work<HeapLow[]> {
  const whole = {
    from: Math.ceil(from / heapLowMs) * heapLowMs,
    to: Math.floor(to / heapLowMs) * heapLowMs,
  };
  const { segments } = yield* selectSegments(server, whole.from, whole.to, mostBlocks);
  const parts: Low[] = [
    ...(yield* all(lows, { server, ...whole })),
    ...segments.flatMap((segment) => Array.from(lowsIn(segment, whole.from, whole.to))),
  ];
  const places = new Map<number, Low>();
  for (const { place, mb, points } of parts) {
    const known = places.get(place) ?? { place, mb, points: 0 };
    places.set(place, { place, mb: Math.min(known.mb, mb), points: known.points + points });
  }
  return [...places.values()]
    .filter(({ points }) => points >= leastPoints)
    .toSorted((a, b) => a.place - b.place)
    .map(({ place, mb }) => ({ at: place * heapLowMs, mb }));
}
