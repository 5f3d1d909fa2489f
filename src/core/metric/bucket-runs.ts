import type { Instant } from "../time.ts";
import { bucketSizes } from "./bucket-size.ts";
import type { SeriesChunk } from "./chunk.ts";

/** The points of one chunk in one bucket; `end` is exclusive. */
export interface BucketRun {
  readonly end: number;
  readonly bucket: number;
}

export interface Buckets {
  /** Null: each point is a bucket of its own. */
  readonly seconds: number | null;
  readonly starts: readonly Instant[];
  /** One list for each chunk, in order. */
  readonly runs: readonly (readonly BucketRun[])[];
}

/** Null as soon as more than `most` buckets have points. */
function gathered(chunks: readonly SeriesChunk[], seconds: number | null, most: number): Buckets | null {
  const length = seconds === null ? 1 : seconds * 1000;
  const starts: Instant[] = [];
  const runs: BucketRun[][] = [];
  let last = Number.NaN;
  for (const { times } of chunks) {
    const ofChunk: BucketRun[] = [];
    runs.push(ofChunk);
    for (let index = 0; index < times.length;) {
      const start = Math.floor((times[index] ?? 0) / length) * length;
      // Without a length, points of one time stay apart.
      if (start !== last || seconds === null) starts.push(start);
      if (starts.length > most) return null;
      last = start;
      index = seconds === null ? index + 1 : endOfBucket(times, index, start + length);
      ofChunk.push({ end: index, bucket: starts.length - 1 });
    }
  }
  return { seconds, starts, runs };
}

function endOfBucket(times: Float64Array, from: number, end: Instant): number {
  // Usually a whole chunk lies within one bucket.
  if ((times.at(-1) ?? end) < end) return times.length;
  let index = from + 1;
  while (index < times.length && (times[index] ?? end) < end) index += 1;
  return index;
}

/** The points as they are if they are at most `most`, else the shortest buckets that are at most `most`. */
export function bucketsOf(chunks: readonly SeriesChunk[], most: number): Buckets {
  const asTheyAre = gathered(chunks, null, most);
  if (asTheyAre) return asTheyAre;
  for (const seconds of bucketSizes) {
    const buckets = gathered(chunks, seconds, most);
    if (buckets) return buckets;
  }
  // Never reached: 366 days are seven buckets of 60 days, and nobody may ask for fewer than ten.
  throw new RangeError(`No buckets are so long that ${most} hold all points.`);
}
