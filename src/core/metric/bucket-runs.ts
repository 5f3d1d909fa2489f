import type { Instant } from "../time.ts";
import { bucketSizes } from "./bucket-size.ts";
import type { SeriesChunk } from "./chunk.ts";

/** The points of one chunk that belong to one bucket: they end before `end`. */
export interface BucketRun {
  readonly end: number;
  readonly bucket: number;
}

/** How the points of a series are gathered. */
export interface Buckets {
  /** The length of a bucket; null where every point is one of its own. */
  readonly seconds: number | null;
  readonly starts: readonly Instant[];
  /** For each chunk, in order. */
  readonly runs: readonly (readonly BucketRun[])[];
}

/** The buckets of a length that have points; null as soon as they are more than `most`. */
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
      // Without a length points of one time stay apart.
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
  // Mostly a whole chunk lies within one bucket.
  if ((times.at(-1) ?? end) < end) return times.length;
  let index = from + 1;
  while (index < times.length && (times[index] ?? end) < end) index += 1;
  return index;
}

/** The points as they are, or the shortest buckets of which there are no more than `most`. */
export function bucketsOf(chunks: readonly SeriesChunk[], most: number): Buckets {
  const asTheyAre = gathered(chunks, null, most);
  if (asTheyAre) return asTheyAre;
  for (const seconds of bucketSizes) {
    const buckets = gathered(chunks, seconds, most);
    if (buckets) return buckets;
  }
  // 366 days are seven buckets of 60 days, and fewer than ten are never asked for.
  throw new RangeError(`No buckets are so long that ${most} hold all points.`);
}
