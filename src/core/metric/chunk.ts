import { minuteMs, type Instant } from "../time.ts";
import type { ChunkColumn } from "./chunk-column.ts";
import { retainedFrom } from "./clock.ts";

/** A bucket of the health rules and of comparisons; buckets begin at multiples since the Unix epoch. */
export const bucketMs = 5 * minuteMs;

/** Points stay this long after they left the plan's window, so that an upgrade shows them again, days. */
const graceDays = 30;

/** Points before this instant are deleted. */
export const keptFrom = (retentionDays: number, now: Instant): Instant =>
  retainedFrom(retentionDays + graceDays, now);

export const bucketStart = (sampledAt: Instant): Instant => Math.floor(sampledAt / bucketMs) * bucketMs;

export interface SeriesChunk {
  /** Milliseconds since the epoch, ascending. */
  readonly times: Float64Array;
  /** One for each requested field, in that order. */
  readonly columns: readonly ChunkColumn[];
  /** 1 for an imported point; left out if no point is. */
  readonly imported?: ChunkColumn;
}

/** `to` is exclusive. */
export const partOf = (chunk: SeriesChunk, from: number, to: number): SeriesChunk =>
  from === 0 && to === chunk.times.length
    ? chunk
    : {
        times: chunk.times.subarray(from, to),
        columns: chunk.columns.map((column) => column.part(from, to)),
        ...(chunk.imported && { imported: chunk.imported.part(from, to) }),
      };

/** The first index whose time is not before `time`. */
export function placeOfTime(times: Float64Array, time: Instant): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The points of several chunks in order of time, each once; chunks that overlap are cut. */
export function* inOrderOfTime(chunks: readonly SeriesChunk[]): Generator<SeriesChunk> {
  const startOf = ({ times }: SeriesChunk): number => times[0] ?? 0;
  const before = (a: SeriesChunk, b: SeriesChunk): number => startOf(a) - startOf(b);
  const waiting = chunks.filter(({ times }) => times.length > 0).toSorted(before);
  for (let place = 0; place < waiting.length; place += 1) {
    const chunk = waiting[place];
    const next = waiting[place + 1];
    if (!chunk) continue;
    const end =
      next === undefined ? chunk.times.length : Math.max(1, placeOfTime(chunk.times, startOf(next)));
    yield partOf(chunk, 0, end);
    if (end === chunk.times.length) continue;
    // The rest comes after every chunk that begins before it.
    const rest = partOf(chunk, end, chunk.times.length);
    let at = place + 1;
    while (at < waiting.length && before(waiting[at] ?? rest, rest) <= 0) at += 1;
    waiting.splice(at, 0, rest);
  }
}
