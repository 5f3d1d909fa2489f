import { seriesFields } from "../../core/metric/fields.ts";
import { bytes, instant, integer, real, table, text, type RowOf } from "../engine/table.ts";

/** One column for each of the names. */
const each = <Name extends string, C>(names: readonly Name[], column: C): Record<Name, C> =>
  Object.fromEntries(names.map((name) => [name, column])) as Record<Name, C>;

export const sampleTable = table("sample", {
  server_id: text,
  sampled_at: instant,
  received_at: instant,
  detail: text.nullable,
  ...each(seriesFields, real.nullable),
});

/** The older samples of each server, a row for each UTC day. */
export const sampleBlockTable = table("sample_block", {
  server_id: text,
  /** The start of the day. */
  day: instant,
  /** The times of the first and the last point. */
  first_at: instant,
  last_at: instant,
  points: integer,
  /** Segments, as src/core/metric/SPEC.md describes them. */
  data: bytes,
});

export interface MetricTables {
  sample: RowOf<typeof sampleTable>;
  sample_block: RowOf<typeof sampleBlockTable>;
}
