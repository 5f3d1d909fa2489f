import { sql } from "kysely";
import {
  importedColumn,
  pausedColumn,
  receivedColumn,
  fieldColumn,
} from "../../core/metric/block/segment.ts";
import type { SealedPoints } from "../../core/metric/block/merge-segments.ts";
import { seriesFields } from "../../core/metric/fields.ts";
import type { Instant } from "../../core/time.ts";
import { all, type Work } from "../engine/database.ts";
import { inArrays, query } from "../engine/query.ts";
import { importedDetail, pausedDetail } from "./samples.ts";

type Span = { server: string; before: number };
type SampleCells = readonly [
  at: number,
  received: number,
  detail: string | null,
  ...values: (number | null)[],
];

/** `size`: length of the details, characters. */
export const selectOldestSamples = query<Span & { limit: number }>()((db, $) =>
  db
    .selectFrom("sample")
    .select(["sampled_at as at", sql<number>`coalesce(length(detail), 0)`.as("size")])
    .where("server_id", "=", $.server)
    .where("sampled_at", "<", $.before)
    .orderBy("sampled_at")
    .limit($.limit),
);

/** Deletes and returns samples. Locked rows keep two processes from taking the same sample. */
const take = inArrays<Span, unknown, SampleCells>(
  query<Span>()((db, $) =>
    db
      .deleteFrom("sample")
      .where("server_id", "=", $.server)
      .where("sampled_at", "<", $.before)
      .returning(["sampled_at", "received_at", "detail", ...seriesFields]),
  ),
);

const cell = (value: number | null | undefined): number => value ?? Number.NaN;

/** Removes samples before an instant from their table, and returns them as points. */
export function* takeSamples(server: string, before: Instant): Work<SealedPoints> {
  const rows = (yield* all(take, { server, before })).toSorted(([a], [b]) => a - b);
  const column = (value: (row: SampleCells) => number) => Float64Array.from(rows, value);
  const isPaused = (detail: string | null): boolean => detail?.startsWith(pausedDetail) === true;
  const isImported = (detail: string | null): boolean => detail?.startsWith(importedDetail) === true;
  /** A column for what holds of some samples; none where it holds of no sample. */
  const marks = (id: number, holds: (detail: string | null) => boolean) =>
    rows.some(([, , detail]) => holds(detail))
      ? [[id, column(([, , detail]) => (holds(detail) ? 1 : 0))] as const]
      : [];
  return {
    times: column(([at]) => at),
    columns: new Map([
      ...seriesFields.map((field, index) => {
        return [fieldColumn(field), column((row) => cell(row[3 + index] as number | null))] as const;
      }),
      [receivedColumn, column(([at, received]) => received - at)],
      ...marks(pausedColumn, isPaused),
      ...marks(importedColumn, isImported),
    ]),
    details: rows.map(([, , detail]) => detail),
  };
}
