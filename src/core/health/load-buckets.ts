import { bucketStart } from "../metric/chunk.ts";
import type { SeriesField } from "../metric/fields.ts";
import { medianOfFew } from "../statistics/order.ts";
import type { Instant } from "../time.ts";
import type { LevelBucket } from "./baseline.ts";

/** What a server carries and what its ticks need, in the order in which samples are read. */
export const loadFields = [
  "mspt",
  "mspt_region_avg",
  "player_count",
  "entity_count",
  "loaded_chunks",
  "tile_entities",
] as const satisfies readonly SeriesField[];
type LoadField = (typeof loadFields)[number];

/** Medians of the samples of five minutes, null where none has the field; a bucket begins at multiples of five minutes. */
export type LoadBucket = Readonly<Record<LoadField, number | null>> & { readonly at: Instant };

/** The bucket that begins at `at`, with its values in the order of `loadFields`. */
export const loadBucketOf = (
  at: Instant,
  [
    mspt = null,
    mspt_region_avg = null,
    player_count = null,
    entity_count = null,
    loaded_chunks = null,
    tile_entities = null,
  ]: readonly (number | null)[],
): LoadBucket => ({
  at,
  mspt,
  mspt_region_avg,
  player_count,
  entity_count,
  loaded_chunks,
  tile_entities,
});

/** Samples in order of time: their instants, and of each field its values in the same order, NaN where there is none. */
export interface LoadColumns {
  readonly times: ArrayLike<number>;
  readonly columns: readonly ArrayLike<number>[];
}

/** A time that says nothing of what is usual: a maintenance window, or the first minutes of a boot. `to` is exclusive. */
export interface ExcludedTime {
  readonly from: Instant;
  readonly to: Instant;
}

/** The median with two decimals. */
const levelOf = (values: number[]): number | null =>
  values.length === 0 ? null : Math.round(medianOfFew(values) * 100) / 100;

/** Takes samples in order of time, and makes buckets of them; excluded samples are in none. */
export class BucketCollector {
  readonly #excluded: readonly ExcludedTime[];
  readonly #buckets: LoadBucket[] = [];
  /** Times before this place are over. */
  #place = 0;
  #start: Instant | null = null;
  /** The known values of each field in the bucket that begins at `#start`. */
  readonly #values: readonly number[][] = loadFields.map(() => []);

  constructor(excluded: readonly ExcludedTime[]) {
    this.#excluded = apart(excluded);
  }

  add({ times, columns }: LoadColumns): void {
    for (let index = 0; index < times.length; index += 1) {
      const at = times[index] ?? 0;
      if (this.#isExcluded(at)) continue;
      const start = bucketStart(at);
      if (start !== this.#start) this.#close();
      this.#start = start;
      for (let field = 0; field < this.#values.length; field += 1) {
        const value = columns[field]?.[index] ?? Number.NaN;
        if (!Number.isNaN(value)) this.#values[field]?.push(value);
      }
    }
  }

  /** The buckets of all samples; none may be added after it. */
  finish(): LoadBucket[] {
    this.#close();
    return this.#buckets;
  }

  #close(): void {
    if (this.#start === null) return;
    this.#buckets.push(loadBucketOf(this.#start, this.#values.map(levelOf)));
    for (const values of this.#values) values.length = 0;
  }

  #isExcluded(at: Instant): boolean {
    for (let time = this.#excluded[this.#place]; time && time.to <= at; time = this.#excluded[this.#place])
      this.#place += 1;
    const next = this.#excluded[this.#place];
    return next !== undefined && next.from <= at;
  }
}

/** The same times in order, without overlaps. */
function apart(times: readonly ExcludedTime[]): ExcludedTime[] {
  const joined: ExcludedTime[] = [];
  for (const { from, to } of times.toSorted((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    if (last && from <= last.to) joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    else joined.push({ from, to });
  }
  return joined;
}

/** The buckets of samples that come in order of time; excluded samples are in none. */
export function loadBuckets(samples: LoadColumns, excluded: readonly ExcludedTime[]): LoadBucket[] {
  const collector = new BucketCollector(excluded);
  collector.add(samples);
  return collector.finish();
}

/** The buckets in which ticks were measured; of a server whose world is split into regions, their average counts. */
export function tickBucketsOf(buckets: readonly LoadBucket[]): LevelBucket[] {
  const ticks: LevelBucket[] = [];
  for (const { at, mspt, mspt_region_avg, player_count } of buckets) {
    const value = mspt_region_avg ?? mspt;
    if (value !== null) ticks.push({ at, value, players: player_count ?? 0 });
  }
  return ticks;
}
