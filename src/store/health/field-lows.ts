import { sql } from "kysely";
import { type FieldLow, type LowField, lowMs } from "../../core/health/field-low.ts";
import { fieldColumn, type BlockSegment } from "../../core/metric/block/segment.ts";
import type { Instant } from "../../core/time.ts";
import { all, type Work } from "../engine/database.ts";
import { query } from "../engine/query.ts";
import { selectSegments } from "../metric/blocks.ts";

/** With fewer samples the minimum of six hours says little. */
const leastPoints = 20;

/** Integer division truncates in both databases. */
const placeOfRow = sql<number>`sampled_at / ${sql.lit(lowMs)}`;

/** The minimum of a field in each six hours, with the time of its first sample. */
const minimumOf = (field: LowField) =>
  query<{ server: string; from: number; to: number }>()((db, $) =>
    db
      .selectFrom((from) =>
        from
          .selectFrom("sample")
          .select([
            placeOfRow.as("place"),
            sql<number>`${sql.ref(field)}`.as("mb"),
            "sampled_at as at",
            sql<number>`count(*) over (partition by ${placeOfRow})`.as("points"),
            sql<number>`row_number() over (partition by ${placeOfRow} order by ${sql.ref(field)}, sampled_at)`.as(
              "rank",
            ),
          ])
          .where("server_id", "=", $.server)
          .where("sampled_at", ">=", $.from)
          .where("sampled_at", "<", $.to)
          .where(field, "is not", null)
          .as("ranked"),
      )
      .select(["place", "mb", "at", "points"])
      .where("rank", "=", 1),
  );

const minimums = {
  heap_after_gc_mb: minimumOf("heap_after_gc_mb"),
  disk_free_mb: minimumOf("disk_free_mb"),
} satisfies Readonly<Record<LowField, unknown>>;

/** Most blocks read at once: enough for the longest period that callers ask for. */
const mostBlocks = 32;

interface Low {
  readonly place: number;
  readonly mb: number;
  readonly points: number;
  /** Reads a segment's values, so it is called for the least of each six hours only. */
  readonly at: () => Instant;
}

const placeOf = (at: Instant): number => Math.floor(at / lowMs);

/** Minimum of a segment by parts of six hours; most segments lie in one part. */
function* lowsIn(segment: BlockSegment, field: LowField, from: Instant, to: Instant): Generator<Low> {
  const column = segment.column(fieldColumn(field));
  if (column === null) return;
  const { min, count } = column.totals;
  const isWhole = segment.first >= from && segment.last < to;
  if (isWhole && placeOf(segment.first) === placeOf(segment.last))
    return yield {
      place: placeOf(segment.first),
      mb: min,
      points: count,
      at: () => segment.times()[column.values().indexOf(min)] ?? segment.first,
    };
  const values = column.values();
  for (const [index, at] of segment.times().entries()) {
    const mb = values[index] ?? Number.NaN;
    if (at >= from && at < to && !Number.isNaN(mb)) yield { place: placeOf(at), mb, points: 1, at: () => at };
  }
}

/** The minimum in each complete six hours (UTC) between two instants, in time order, each with its own time. */
export function* selectLows(server: string, field: LowField, from: Instant, to: Instant): Work<FieldLow[]> {
  const whole = {
    from: Math.ceil(from / lowMs) * lowMs,
    to: Math.floor(to / lowMs) * lowMs,
  };
  const { segments } = yield* selectSegments(server, whole.from, whole.to, mostBlocks);
  const parts: Low[] = [
    ...segments.flatMap((segment) => Array.from(lowsIn(segment, field, whole.from, whole.to))),
    ...(yield* all(minimums[field], { server, ...whole })).map(({ place, mb, at, points }): Low => {
      return { place, mb, points, at: () => at };
    }),
  ];
  const places = new Map<number, Low>();
  for (const part of parts) {
    const known = places.get(part.place);
    const least = known === undefined || part.mb < known.mb ? part : known;
    const points = (known?.points ?? 0) + part.points;
    places.set(part.place, { place: part.place, mb: least.mb, points, at: least.at });
  }
  return [...places.values()]
    .filter(({ points }) => points >= leastPoints)
    .toSorted((a, b) => a.place - b.place)
    .map(({ place, mb, at }) => ({ at: place * lowMs, lowAt: at(), mb }));
}
