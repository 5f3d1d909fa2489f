import { seriesFields, type SeriesField } from "../../core/metric/fields.ts";
import { inArrays, query, type Query } from "../engine/query.ts";
import { isImportedRow } from "./imported-samples.ts";

export type Cells = readonly (number | null)[];

interface Span {
  readonly [place: string]: string | number;
  readonly server: string;
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

/** Reads samples of certain fields: the time first, then the fields, then 1 for an imported sample. */
export interface PointQuery {
  readonly fields: readonly SeriesField[];
  readonly samples: Query<Span, Cells>;
}

const queryFor = (fields: readonly SeriesField[]): PointQuery => ({
  fields,
  samples: inArrays(
    query<Span>()((db, $) =>
      db
        .selectFrom("sample")
        .select(["sampled_at", ...fields, isImportedRow.as("imported")])
        .where("server_id", "=", $.server)
        .where("sampled_at", ">=", $.from)
        .where("sampled_at", "<", $.to)
        .orderBy("sampled_at")
        .limit($.limit),
    ),
  ),
});

/**
 * Statements stay prepared on every connection, and callers can ask for millions of sets of fields. So only
 * this many sets have their own statement; others use the one that reads every field.
 */
const setsAtMost = 64;
const everyField = queryFor(seriesFields);
const known = new Map<string, PointQuery>();

export function pointQuery(requested: readonly SeriesField[]): PointQuery {
  const fields = seriesFields.filter((field) => requested.includes(field));
  const key = fields.join();
  const found = known.get(key);
  if (found) return found;
  if (known.size >= setsAtMost) return everyField;
  const made = queryFor(fields);
  known.set(key, made);
  return made;
}
