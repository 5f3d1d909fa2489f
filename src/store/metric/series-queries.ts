import type { PointColumn } from "../../core/metric/chunk-column.ts";
import { seriesFields, type SeriesField } from "../../core/metric/sample.ts";
import { inArrays, query, type Query } from "../engine/query.ts";

export type Cells = readonly (number | null)[];

interface Span {
  readonly [place: string]: string | number;
  readonly server: string;
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

const parts = ["min", "max", "sum", "count"] as const satisfies readonly (keyof PointColumn)[];

/** How points are read for certain fields: time first, then the fields, roll-up rows with four parts of each. */
export interface PointQueries {
  readonly fields: readonly SeriesField[];
  readonly samples: Query<Span, Cells>;
  readonly rollups: Query<Span, Cells>;
}

const queriesFor = (fields: readonly SeriesField[]): PointQueries => ({
  fields,
  samples: inArrays(
    query<Span>()((db, $) =>
      db
        .selectFrom("sample")
        .select(["sampled_at", ...fields])
        .where("server_id", "=", $.server)
        .where("sampled_at", ">=", $.from)
        .where("sampled_at", "<", $.to)
        .orderBy("sampled_at")
        .limit($.limit),
    ),
  ),
  rollups: inArrays(
    query<Span>()((db, $) =>
      db
        .selectFrom("sample_rollup")
        .select(["bucket_at", ...fields.flatMap((field) => parts.map((part) => `${field}_${part}` as const))])
        .where("server_id", "=", $.server)
        .where("bucket_at", ">=", $.from)
        .where("bucket_at", "<", $.to)
        .orderBy("bucket_at")
        .limit($.limit),
    ),
  ),
});

/**
 * A statement stays prepared on every connection, and callers choose among millions of sets of fields: so many
 * sets have statements of their own, a further one reads every field.
 */
const setsAtMost = 64;
const everyField = queriesFor(seriesFields);
const known = new Map<string, PointQueries>();

export function pointQueries(requested: readonly SeriesField[]): PointQueries {
  const fields = seriesFields.filter((field) => requested.includes(field));
  const key = fields.join();
  const found = known.get(key);
  if (found) return found;
  if (known.size >= setsAtMost) return everyField;
  const made = queriesFor(fields);
  known.set(key, made);
  return made;
}
