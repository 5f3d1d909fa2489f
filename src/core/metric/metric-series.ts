import { z } from "zod";
import { addition } from "../addition.ts";
import { Id } from "../id.ts";
import { Timestamp } from "../timestamp.ts";
import { SampleSource } from "./imported.ts";
import { Range } from "./period.ts";
import { Aggregation, SeriesFieldName } from "./series-field.ts";
import { FieldSummary } from "./summary.ts";

const values = z.array(z.number().nullable());
const bounds = z.partialRecord(SeriesFieldName, values).nullable();

/** If reduced, points are buckets labelled by their start; `summary` and `gaps` cover every stored point. */
export const MetricSeries = z.object({
  server_id: Id,
  range: Range.nullable(),
  from: Timestamp,
  to: Timestamp,
  resolution_seconds: z.int(),
  fields: z.array(SeriesFieldName),
  points_total: z.int(),
  points_returned: z.int(),
  reduced: z.boolean(),
  bucket_seconds: z.int().nullable(),
  aggregation: z.partialRecord(SeriesFieldName, Aggregation),
  columns: z.record(z.string(), z.array(z.union([Timestamp, z.number()]).nullable())),
  columns_min: bounds,
  columns_max: bounds,
  summary: z.partialRecord(SeriesFieldName, FieldSummary),
  gaps: z.array(z.object({ from: Timestamp, to: Timestamp, seconds: z.int() })),
  /** Stretches of points that the server did not send by itself: they are from a file of this program. */
  imported: addition(
    z.array(z.object({ source: SampleSource, from: Timestamp, to: Timestamp, points: z.int() })),
  ),
});
export type MetricSeries = z.infer<typeof MetricSeries>;
