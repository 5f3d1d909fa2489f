import { copyKnown, type ChunkColumn } from "./chunk-column.ts";
import type { Buckets, BucketRun } from "./bucket-runs.ts";
import { nearestRanks } from "./nearest-rank.ts";
import type { FieldSummary } from "./summary.ts";
import { toThousandths } from "./written-value.ts";

export interface BucketColumn {
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly sum: Float64Array;
  /** Measured values only. */
  readonly count: Float64Array;
}

export interface FieldSeries {
  readonly buckets: BucketColumn;
  readonly summary: FieldSummary;
}

/** Chunks read between two yields: 30 segments of a block are 7,200 points, 0.1 ms. */
const chunksAtATime = 30;

class FieldBuckets implements BucketColumn {
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly sum: Float64Array;
  readonly count: Float64Array;

  constructor(length: number) {
    this.min = new Float64Array(length).fill(Number.POSITIVE_INFINITY);
    this.max = new Float64Array(length).fill(Number.NEGATIVE_INFINITY);
    this.sum = new Float64Array(length);
    this.count = new Float64Array(length);
  }

  add(bucket: number, min: number, max: number, sum: number, count: number): void {
    if (count === 0) return;
    if (min < (this.min[bucket] ?? 0)) this.min[bucket] = min;
    if (max > (this.max[bucket] ?? 0)) this.max[bucket] = max;
    this.sum[bucket] = (this.sum[bucket] ?? 0) + sum;
    this.count[bucket] = (this.count[bucket] ?? 0) + count;
  }

  addAll(values: Float64Array, runs: readonly BucketRun[]): void {
    let index = 0;
    for (const { end, bucket } of runs) {
      let [min, max, sum, count] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0];
      for (; index < end; index += 1) {
        const value = values[index] ?? Number.NaN;
        if (Number.isNaN(value)) continue;
        if (value < min) min = value;
        if (value > max) max = value;
        sum += value;
        count += 1;
      }
      this.add(bucket, min, max, sum, count);
    }
  }
}

/** Takes columns in the order of the chunks. Percentiles need every value meanwhile: 8 bytes a point. */
export function* fieldSeries(
  columns: readonly ChunkColumn[],
  { starts, runs }: Buckets,
  points: number,
): Generator<void, FieldSeries> {
  const buckets = new FieldBuckets(starts.length);
  const known = new Float64Array(points);
  let length = 0;
  for (const [index, column] of columns.entries()) {
    const ofChunk = runs[index] ?? [];
    const { totals } = column;
    if (totals === null || ofChunk.length > 1) length += addPoints(buckets, column, ofChunk, known, length);
    else {
      buckets.add(ofChunk[0]?.bucket ?? 0, totals.min, totals.max, totals.sum, totals.count);
      length += column.writeKnown(known, length);
    }
    if (index % chunksAtATime === chunksAtATime - 1) yield;
  }
  return { buckets, summary: yield* summaryOf(buckets, known.subarray(0, length)) };
}

/** Returns how many of the points are known. */
function addPoints(
  buckets: FieldBuckets,
  column: ChunkColumn,
  runs: readonly BucketRun[],
  known: Float64Array,
  at: number,
): number {
  const values = column.values();
  buckets.addAll(values, runs);
  return copyKnown(values, known, at);
}

function* summaryOf(buckets: BucketColumn, known: Float64Array): Generator<void, FieldSummary> {
  const count = buckets.count.reduce((sum, each) => sum + each, 0);
  if (count === 0) return { min: null, max: null, avg: null, p5: null, p95: null, count: 0 };
  const min = buckets.min.reduce((least, each) => Math.min(least, each));
  const max = buckets.max.reduce((most, each) => Math.max(most, each));
  const sum = buckets.sum.reduce((sum, each) => sum + each, 0);
  // Removes the sign of negative zeros, whose bits would order behind everything.
  if (min <= 0) for (let index = 0; index < known.length; index += 1) known[index] = (known[index] ?? 0) + 0;
  yield;
  const [p5 = null, p95 = null] = yield* nearestRanks(known, [0.05, 0.95]);
  return { min, max, avg: toThousandths(sum / count, min, max), p5, p95, count };
}
