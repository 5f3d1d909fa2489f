import { sql } from "kysely";
import { importedColumn, type BlockSegment } from "../../core/metric/block/segment.ts";
import { withoutPoints } from "../../core/metric/block/merge-segments.ts";
import { placeOfTime } from "../../core/metric/chunk.ts";
import type { SampleMark } from "../../core/metric/imported.ts";
import { utcDay, type Instant } from "../../core/time.ts";
import { all, run, type Work } from "../engine/database.ts";
import { inArrays, query } from "../engine/query.ts";
import { blockOf, removeBlock, saveBlock, selectSegments } from "./blocks.ts";
import { detailsCodec } from "./details.ts";
import { importedDetail } from "./samples.ts";

/** In a statement: whether a sample was imported, 1 or 0. */
export const isImportedRow = sql<number>`case when detail like ${sql.lit(`${importedDetail}%`)} then 1 else 0 end`;

type Span = { server: string; from: number; to: number };

const marks = inArrays<Span, unknown, readonly [at: number, imported: number]>(
  query<Span>()((db, $) =>
    db
      .selectFrom("sample")
      .select(["sampled_at", isImportedRow.as("imported")])
      .where("server_id", "=", $.server)
      .where("sampled_at", ">=", $.from)
      .where("sampled_at", "<=", $.to),
  ),
);

const remove = query<{ server: string; at: number }>()((db, $) =>
  db
    .deleteFrom("sample")
    .where("server_id", "=", $.server)
    .where("sampled_at", "=", $.at)
    .where(isImportedRow, "=", 1),
);

function* marksIn(segment: BlockSegment, from: Instant, to: Instant): Generator<SampleMark> {
  const times = segment.times();
  const imported = segment.column(importedColumn)?.values();
  for (let index = placeOfTime(times, from); index <= placeOfTime(times, to); index += 1) {
    const at = times[index];
    if (at !== undefined && at <= to) yield { at, isImported: imported?.[index] === 1 };
  }
}

/** The times of all stored samples from `from` to `to`, both included, in no order. */
export function* selectSampleMarks(server: string, from: Instant, to: Instant): Work<SampleMark[]> {
  const rows = yield* all(marks, { server, from, to });
  const { segments } = yield* selectSegments(server, from, to + 1, Number.MAX_SAFE_INTEGER);
  return [
    ...rows.map(([at, imported]) => ({ at, isImported: imported === 1 })),
    ...segments.flatMap((segment) => Array.from(marksIn(segment, from, to))),
  ];
}

/** Deletes imported samples of these times, rows and points of blocks alike. Lock the server first. */
export function* dropImported(server: string, times: readonly Instant[]): Work<void> {
  for (const at of times) yield* run(remove, { server, at });
  for (const day of new Set(times.map(utcDay))) {
    const block = yield* blockOf(server, day);
    const left = withoutPoints(block, new Set(times), detailsCodec);
    if (left === block) continue;
    if (left.length === 0) yield* removeBlock(server, day);
    else yield* saveBlock(server, day, left);
  }
}
