import { z } from "zod";
import { Id } from "../id.ts";
import { Timestamp } from "../timestamp.ts";
import { Range } from "./period.ts";
import { Aggregation, SeriesFieldName } from "./series-field.ts";
import { FieldSummary } from "./summary.ts";

const values = z.array(z.number().nullable());
const bounds = z.partialRecord(SeriesFieldName, values).nullable();

/**
 * A server's measurements over a period, in columns of equal length. Points are samples as stored; where there are more
 * than were asked for, they are gathered in buckets labelled by their start, each with its least and largest value.
 * `summary` and `gaps` are of every stored point.
 */
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
});
export type MetricSeries = z.infer<typeof MetricSeries>;
