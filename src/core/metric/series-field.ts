import { z } from "zod";
import { sampleFields, seriesFields, type SeriesField } from "./fields.ts";

/** How the values of several points become the one a series shows: the others show it beside min and max. */
export const Aggregation = z.enum(["avg", "sum", "max"]);
export type Aggregation = z.infer<typeof Aggregation>;

export const aggregationOf = (field: SeriesField): Aggregation => sampleFields[field].shows ?? "avg";

/** The unit of a field's values; empty where they are counted, or are ticks a second. */
export const unitOf = (field: SeriesField): string => sampleFields[field].unit;

/** What a field is held against; null where nothing is. */
export const nominalOf = (field: SeriesField): number | null => sampleFields[field].nominal ?? null;

/** Fields of one question; each is held whole in memory for its percentiles. */
const fieldsAtMost = 12;

const defaultFields: SeriesField[] = [
  "tps",
  "mspt",
  "worst_tick_ms",
  "player_count",
  "ram_used_mb",
  "cpu_usage",
];

export const SeriesFieldName = z.enum(seriesFields);

/** The fields of a series, in the order asked for; one that is named twice comes once. */
export const seriesFieldsInput = z.array(SeriesFieldName).min(1).max(fieldsAtMost).default(defaultFields);

export const distinctFields = (fields: readonly SeriesField[]): SeriesField[] => [...new Set(fields)];
