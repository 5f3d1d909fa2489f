import { toTimestamp } from "../time.ts";
import { bucketSizes } from "./bucket-size.ts";
import { rollupSeconds, type PointColumn, type SeriesChunk } from "./chunk.ts";
import { heartbeatSeconds } from "./clock.ts";
import { GapFinder, type Gap } from "./gaps.ts";
import type { MetricSeries } from "./metric-series.ts";
import type { Period } from "./period.ts";
import type { SeriesField } from "./sample.ts";
import { aggregationOf, type Aggregation } from "./series-field.ts";
import { Slots } from "./slots.ts";
import { Summary, type FieldSummary } from "./summary.ts";
import { toThousandths } from "./written-value.ts";

/**
 * Stored points one question may touch. A year at the usual interval has 86,400 samples and 96,480 roll-up rows;
 * twelve fields of 300,000 points are 29 MB while the question is answered.
 */
export const storedPointsAtMost = 300_000;

export interface SeriesQuestion {
  readonly serverId: string;
  readonly period: Period;
  readonly fields: readonly SeriesField[];
  readonly maxPoints: number;
}

/** What one answer is made of, given point by point in order of time; holds no more than percentiles need. */
export class Series {
  readonly #question: SeriesQuestion;
  readonly #summaries: readonly Summary[];
  readonly #gaps: GapFinder;
  #slots: Slots;
  /** Which of the bucket lengths; −1 while the points are kept as they are. */
  #size = -1;
  #rolled = false;
  /** Points given so far. */
  points = 0;

  constructor(question: SeriesQuestion) {
    const { fields, period } = question;
    this.#question = question;
    this.#summaries = fields.map(() => new Summary());
    this.#gaps = new GapFinder(period.from, period.to);
    this.#slots = new Slots(fields.length, null);
  }

  add(chunk: SeriesChunk): void {
    const { times, columns, rolled } = chunk;
    this.points += times.length;
    for (const [index, summary] of this.#summaries.entries()) {
      const column = columns[index];
      if (column) summary.add(column);
    }
    for (const time of times) this.#gaps.add(time, rolled);
    this.#slots.add(chunk);
    this.#rolled ||= rolled && times.length > 0;
    this.#narrow();
  }

  /**
   * Takes longer buckets until they are no more than was asked for. A roll-up row is a bucket already: with one
   * among the points all become buckets, so that its least and largest values are shown too.
   */
  #narrow(): void {
    const { maxPoints } = this.#question;
    if (this.#size < 0 && !this.#rolled && this.points <= maxPoints) return;
    let size = Math.max(this.#size, 0);
    const fits = ({ seconds }: { readonly seconds: number }): boolean =>
      (!this.#rolled || seconds >= rollupSeconds) && this.#slots.countOf(seconds * 1000) <= maxPoints;
    for (let next = bucketSizes[size]; next && !fits(next); next = bucketSizes[size]) size += 1;
    const chosen = bucketSizes[size];
    if (!chosen || size === this.#size) return;
    if (chosen.baseSeconds !== bucketSizes[this.#size]?.baseSeconds)
      this.#slots = this.#slots.inLengthsOf(chosen.baseSeconds * 1000);
    this.#size = size;
  }

  /** The answer, in steps that each hold the thread for some milliseconds at most. */
  *answer(): Generator<void, MetricSeries> {
    const { serverId, period, fields } = this.#question;
    const summaries: FieldSummary[] = [];
    for (const summary of this.#summaries) {
      summaries.push(yield* summary.result());
      yield;
    }
    const seconds = bucketSizes[this.#size]?.seconds ?? null;
    const { starts, columns } = seconds === null ? this.#slots : this.#slots.inLengthsOf(seconds * 1000);
    const written = fields.map((field, index) =>
      writeColumn(columns[index], starts.length, aggregationOf(field)),
    );
    yield;
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
      resolution_seconds: this.#rolled ? rollupSeconds : heartbeatSeconds,
      fields: [...fields],
      points_total: this.points,
      points_returned: starts.length,
      reduced: seconds !== null,
      bucket_seconds: seconds,
      percentiles_from_rollup: this.#rolled,
      aggregation: Object.fromEntries(fields.map((field) => [field, aggregationOf(field)])),
      columns: { time: Array.from(starts, toTimestamp), ...of((index) => written[index]?.value ?? []) },
      columns_min: bounds("min"),
      columns_max: bounds("max"),
      summary: Object.fromEntries(fields.map((field, index) => [field, summaries[index]])),
      gaps,
    };
  }
}

interface WrittenColumn {
  readonly value: (number | null)[];
  readonly min: (number | null)[];
  readonly max: (number | null)[];
}

function writeColumn(
  column: PointColumn | undefined,
  length: number,
  aggregation: Aggregation,
): WrittenColumn {
  const written: WrittenColumn = { value: [], min: [], max: [] };
  for (let index = 0; index < length; index += 1) {
    const count = column?.count[index] ?? 0;
    if (!column || count === 0) {
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
