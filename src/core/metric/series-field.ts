import { z } from "zod";
import { seriesFields, type SeriesField } from "./sample.ts";

/** How the values of several points become the one a series shows: the others show it beside min and max. */
export const Aggregation = z.enum(["avg", "sum", "max"]);
export type Aggregation = z.infer<typeof Aggregation>;

/**
 * Counted since the sample before: of several samples, the total is what happened. A mean of worst values or of
 * 95th percentiles would be neither, so of those the largest is shown. Everything else is averaged.
 */
const others: Partial<Record<SeriesField, Aggregation>> = {
  ticks_over_50ms: "sum",
  lag_seconds: "sum",
  gc_stw_ms: "sum",
  worst_tick_ms: "max",
  mspt_p95: "max",
};

export const aggregationOf = (field: SeriesField): Aggregation => others[field] ?? "avg";

/** The unit of a field's values; empty where they are counted, or are ticks a second. */
export function unitOf(field: SeriesField): string {
  if (field.startsWith("cpu_") && field !== "cpu_cores") return "%";
  if (field.endsWith("_mb")) return "MB";
  if (field.endsWith("_seconds")) return "s";
  return field.startsWith("mspt") || field.endsWith("_ms") ? "ms" : "";
}

/** A game ticks 20 times a second, so a tick may take 50 ms: what a field is held against, null where nothing is. */
export function nominalOf(field: SeriesField): number | null {
  if (field.startsWith("tps")) return 20;
  return field.startsWith("mspt") || field === "worst_tick_ms" ? 50 : null;
}

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
