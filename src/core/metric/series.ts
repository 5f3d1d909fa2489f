import { toTimestamp } from "../time.ts";
import { bucketsOf } from "./bucket-runs.ts";
import type { ChunkColumn } from "./chunk-column.ts";
import type { SeriesChunk } from "./chunk.ts";
import { heartbeatSeconds } from "./clock.ts";
import { fieldSeries, type BucketColumn } from "./field-series.ts";
import { GapFinder, type Gap } from "./gaps.ts";
import { ImportedStretches } from "./imported-stretches.ts";
import type { MetricSeries } from "./metric-series.ts";
import type { Period } from "./period.ts";
import type { SeriesField } from "./fields.ts";
import { aggregationOf, type Aggregation } from "./series-field.ts";
import type { FieldSummary } from "./summary.ts";
import { toThousandths } from "./written-value.ts";

/**
 * Stored points that one request may read: a year at the usual interval has 1,054,080. Meanwhile each takes
 * some 25 bytes as it is stored, and 8 bytes more for one field at a time.
 */
export const storedPointsAtMost = 1_100_000;

export interface SeriesQuestion {
  readonly serverId: string;
  readonly period: Period;
  readonly fields: readonly SeriesField[];
  readonly maxPoints: number;
}

/** Takes chunks in order of time and keeps them as they are stored. */
export class Series {
  readonly #question: SeriesQuestion;
  readonly #chunks: SeriesChunk[] = [];
  readonly #gaps: GapFinder;
  readonly #imported = new ImportedStretches();
  points = 0;

  constructor(question: SeriesQuestion) {
    this.#question = question;
    this.#gaps = new GapFinder(question.period.from, question.period.to);
  }

  add(chunk: SeriesChunk): void {
    const { times } = chunk;
    if (times.length === 0) return;
    this.points += times.length;
    this.#chunks.push(chunk);
    this.#gaps.addAll(times);
    this.#imported.add(chunk);
  }

  /** Runs in steps of some milliseconds at most. */
  *answer(): Generator<void, MetricSeries> {
    const { serverId, period, fields, maxPoints } = this.#question;
    const chunks = this.#chunks;
    const buckets = bucketsOf(chunks, maxPoints);
    const { seconds, starts } = buckets;
    yield;
    const written: WrittenColumn[] = [];
    const summaries: FieldSummary[] = [];
    for (const [index, field] of fields.entries()) {
      const columns = chunks.map((chunk) => columnOf(chunk, index));
      const gathered = yield* fieldSeries(columns, buckets, this.points);
      summaries.push(gathered.summary);
      written.push(writeColumn(gathered.buckets, starts.length, aggregationOf(field)));
      yield;
    }
    const of = <T>(value: (index: number) => T): Record<string, T> =>
      Object.fromEntries(fields.map((field, index) => [field, value(index)]));
    const bounds = (part: "min" | "max") =>
      seconds === null ? null : of((index) => written[index]?.[part] ?? []);
    const gaps = yield* writeGaps(this.#gaps.end());
    return {
      server_id: serverId,
      range: period.range,
      from: toTimestamp(period.from),
      to: toTimestamp(period.to),
      resolution_seconds: heartbeatSeconds,
      fields: [...fields],
      points_total: this.points,
      points_returned: starts.length,
      reduced: seconds !== null,
      bucket_seconds: seconds,
      aggregation: Object.fromEntries(fields.map((field) => [field, aggregationOf(field)])),
      columns: { time: starts.map(toTimestamp), ...of((index) => written[index]?.value ?? []) },
      columns_min: bounds("min"),
      columns_max: bounds("max"),
      summary: Object.fromEntries(fields.map((field, index) => [field, summaries[index]])),
      gaps,
      imported: this.#imported.written(),
    };
  }
}

function columnOf({ columns }: SeriesChunk, index: number): ChunkColumn {
  const column = columns[index];
  if (!column) throw new RangeError(`The chunk has no column ${index}.`);
  return column;
}

interface WrittenColumn {
  readonly value: (number | null)[];
  readonly min: (number | null)[];
  readonly max: (number | null)[];
}

function writeColumn(column: BucketColumn, length: number, aggregation: Aggregation): WrittenColumn {
  const written: WrittenColumn = { value: [], min: [], max: [] };
  for (let index = 0; index < length; index += 1) {
    const count = column.count[index] ?? 0;
    if (count === 0) {
      for (const part of [written.value, written.min, written.max]) part.push(null);
      continue;
    }
    const [min, max, sum] = [column.min[index] ?? 0, column.max[index] ?? 0, column.sum[index] ?? 0];
    written.min.push(min);
    written.max.push(max);
    written.value.push(primaryValue(aggregation, { min, max, sum, count }));
  }
  return written;
}

interface Known {
  readonly min: number;
  readonly max: number;
  readonly sum: number;
  readonly count: number;
}

function primaryValue(aggregation: Aggregation, { min, max, sum, count }: Known): number {
  if (aggregation === "max") return max;
  if (aggregation === "avg") return toThousandths(sum / count, min, max);
  return count === 1 ? sum : toThousandths(sum, max, Number.MAX_VALUE);
}

/** How many gaps are written between two yields: about a millisecond. */
const gapsAtATime = 1000;

function* writeGaps(gaps: readonly Gap[]): Generator<void, MetricSeries["gaps"]> {
  const written: MetricSeries["gaps"] = [];
  for (const { from, to } of gaps) {
    written.push({ from: toTimestamp(from), to: toTimestamp(to), seconds: Math.round((to - from) / 1000) });
    if (written.length % gapsAtATime === 0) yield;
  }
  return written;
}
