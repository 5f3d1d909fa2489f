import type { Instant } from "../time.ts";
import type { ChunkColumn } from "./chunk-column.ts";
import { retainedFrom } from "./clock.ts";

/** The time of one bucket of the health rules and of comparisons; buckets begin at its multiples since the Unix epoch. */
export const rollupSeconds = 300;
export const rollupMs = rollupSeconds * 1000;

/** Points stay for so long after they left the plan's viewing window: an upgrade finds them again, days. */
const graceDays = 30;

/** Points before this instant are shown by no plan of so many days, and are deleted. */
export const keptFrom = (retentionDays: number, now: Instant): Instant =>
  retainedFrom(retentionDays + graceDays, now);

/** The start of the bucket that a sample of this instant belongs to. */
export const rollupStart = (sampledAt: Instant): Instant => Math.floor(sampledAt / rollupMs) * rollupMs;

/** Stored points that follow one another in time: samples, or rows of five minutes that an older version made of them. */
export interface SeriesChunk {
  readonly rolled: boolean;
  /** Milliseconds since the epoch, ascending: of the sample, or of the start of the five minutes. */
  readonly times: Float64Array;
  /** One for each field, in the order asked for. */
  readonly columns: readonly ChunkColumn[];
}

/** The points of a chunk from one place to another (exclusive). */
export const partOf = (chunk: SeriesChunk, from: number, to: number): SeriesChunk =>
  from === 0 && to === chunk.times.length
    ? chunk
    : {
        rolled: chunk.rolled,
        times: chunk.times.subarray(from, to),
        columns: chunk.columns.map((column) => column.part(from, to)),
      };

/** The first place whose time is not before `time`. */
export function placeOfTime(times: Float64Array, time: Instant): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The points of several chunks in order of time, each once: where chunks overlap they are cut. Of points of one time the
 * rows of five minutes come first.
 */
export function* inOrderOfTime(chunks: readonly SeriesChunk[]): Generator<SeriesChunk> {
  const startOf = ({ times }: SeriesChunk): number => times[0] ?? 0;
  const before = (a: SeriesChunk, b: SeriesChunk): number =>
    startOf(a) - startOf(b) || Number(b.rolled) - Number(a.rolled);
  const waiting = chunks.filter(({ times }) => times.length > 0).toSorted(before);
  for (let place = 0; place < waiting.length; place += 1) {
    const chunk = waiting[place];
    const next = waiting[place + 1];
    if (!chunk) continue;
    const end =
      next === undefined
        ? chunk.times.length
        : Math.max(1, placeOfTime(chunk.times, startOf(next) + (chunk.rolled ? 1 : 0)));
    yield partOf(chunk, 0, end);
    if (end === chunk.times.length) continue;
    // What is left comes after every chunk that begins before it.
    const rest = partOf(chunk, end, chunk.times.length);
    let at = place + 1;
    while (at < waiting.length && before(waiting[at] ?? rest, rest) <= 0) at += 1;
    waiting.splice(at, 0, rest);
  }
}
