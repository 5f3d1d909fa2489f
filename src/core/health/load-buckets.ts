import { bucketStart } from "../metric/chunk.ts";
import type { SeriesField } from "../metric/fields.ts";
import { medianOfFew } from "../statistics/order.ts";
import type { Instant } from "../time.ts";
import type { LevelBucket } from "./baseline.ts";

/** In the order of the columns of samples. */
export const loadFields = [
  "mspt",
  "mspt_region_avg",
  "player_count",
  "entity_count",
  "loaded_chunks",
  "tile_entities",
] as const satisfies readonly SeriesField[];
type LoadField = (typeof loadFields)[number];

/** Medians of five minutes, null for a field without values; `at` is a multiple of five minutes. */
export type LoadBucket = Readonly<Record<LoadField, number | null>> & { readonly at: Instant };

/** `values` are in the order of `loadFields`. */
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

/** Samples in order of time: `columns` has one column for each of `loadFields`, NaN for a missing value. */
export interface LoadColumns {
  readonly times: ArrayLike<number>;
  readonly columns: readonly ArrayLike<number>[];
}

/** Left out of buckets: maintenance, or the first minutes of a boot. `to` is exclusive. */
export interface ExcludedTime {
  readonly from: Instant;
  readonly to: Instant;
}

const levelOf = (values: number[]): number | null =>
  values.length === 0 ? null : Math.round(medianOfFew(values) * 100) / 100;

/** Builds buckets from samples in order of time, without excluded ones. */
export class BucketCollector {
  readonly #excluded: readonly ExcludedTime[];
  readonly #buckets: LoadBucket[] = [];
  /** Index of the first excluded time that is not over. */
  #place = 0;
  #start: Instant | null = null;
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

  /** Must be called last. */
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

/** In order, without overlaps. */
function apart(times: readonly ExcludedTime[]): ExcludedTime[] {
  const joined: ExcludedTime[] = [];
  for (const { from, to } of times.toSorted((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    if (last && from <= last.to) joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    else joined.push({ from, to });
  }
  return joined;
}

export function loadBuckets(samples: LoadColumns, excluded: readonly ExcludedTime[]): LoadBucket[] {
  const collector = new BucketCollector(excluded);
  collector.add(samples);
  return collector.finish();
}

/** Only buckets with tick times; with regions the average of the regions. */
export function tickBucketsOf(buckets: readonly LoadBucket[]): LevelBucket[] {
  const ticks: LevelBucket[] = [];
  for (const { at, mspt, mspt_region_avg, player_count } of buckets) {
    const value = mspt_region_avg ?? mspt;
    if (value !== null) ticks.push({ at, value, players: player_count ?? 0 });
  }
  return ticks;
}
