import { z } from "zod";
import { addition } from "../addition.ts";
import { hinting } from "../name-hints.ts";
import { unknownFieldHint } from "./unmeasured.ts";
import { sampleFields, seriesFields, type SeriesField } from "./fields.ts";

/** How a series combines the points of a bucket into the value beside min and max. */
export const Aggregation = z.enum(["avg", "sum", "max"]);
export type Aggregation = z.infer<typeof Aggregation>;

export const aggregationOf = (field: SeriesField): Aggregation => sampleFields[field].shows ?? "avg";

/** Empty for counts and ticks per second. */
export const unitOf = (field: SeriesField): string => sampleFields[field].unit;

/** The reference value of a field; null if it has none. */
export const nominalOf = (field: SeriesField): number | null => sampleFields[field].nominal ?? null;

/** Each field is held whole in memory for its percentiles. */
const fieldsAtMost = 12;

const defaultFields: SeriesField[] = [
  "tps",
  "mspt",
  "worst_tick_ms",
  "player_count",
  "ram_used_mb",
  "cpu_usage",
];

/** The documented API has the fields of the first schema. */
const addedFields = seriesFields.filter((field) => "migration" in sampleFields[field]);

export const SeriesFieldName = hinting(addition(z.enum(seriesFields), addedFields), (name) =>
  unknownFieldHint(name, seriesFields, seriesFields),
);

export const seriesFieldsInput = z.array(SeriesFieldName).min(1).max(fieldsAtMost).default(defaultFields);

export const distinctFields = (fields: readonly SeriesField[]): SeriesField[] => [...new Set(fields)];
