import { seriesFields } from "../../core/metric/fields.ts";
import { bytes, instant, integer, real, table, text, type RowOf } from "../engine/table.ts";

const each = <Name extends string, C>(names: readonly Name[], column: C): Record<Name, C> =>
  Object.fromEntries(names.map((name) => [name, column])) as Record<Name, C>;

export const sampleTable = table("sample", {
  server_id: text,
  sampled_at: instant,
  received_at: instant,
  detail: text.nullable,
  ...each(seriesFields, real.nullable),
});

/** Older samples: one row per server and UTC day. */
export const sampleBlockTable = table("sample_block", {
  server_id: text,
  day: instant,
  first_at: instant,
  last_at: instant,
  points: integer,
  /** Segments, in the format of src/core/metric/SPEC.md. */
  data: bytes,
});

export interface MetricTables {
  sample: RowOf<typeof sampleTable>;
  sample_block: RowOf<typeof sampleBlockTable>;
}
