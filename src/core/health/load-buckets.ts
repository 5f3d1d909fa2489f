import { rollupMs, rollupStart } from "../metric/chunk.ts";
import type { SeriesField } from "../metric/sample.ts";
import { medianOfFew } from "../statistics/order.ts";
import type { Instant } from "../time.ts";
import type { LevelBucket } from "./baseline.ts";
import { fieldValues, type FieldValues } from "./field-values.ts";

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
export type LoadBucket = FieldValues<LoadField>;

/** One sample: its instant, and its values in the order of the fields, NaN where it has none. */
export interface LoadSample {
  readonly at: Instant;
  readonly values: readonly number[];
}

/** A time that says nothing of what is usual: a maintenance window, or the first minutes of a boot. `to` is exclusive. */
export interface ExcludedTime {
  readonly from: Instant;
  readonly to: Instant;
}

/** The length of a bucket, ms. */
export const loadBucketMs = rollupMs;

/** The median with two decimals. */
const levelOf = (values: number[]): number | null =>
  values.length === 0 ? null : Math.round(medianOfFew(values) * 100) / 100;

const bucketOf = (at: Instant, samples: readonly LoadSample[]): LoadBucket =>
  fieldValues(at, loadFields, (place) =>
    levelOf(samples.map(({ values }) => values[place] ?? Number.NaN).filter((value) => !Number.isNaN(value))),
  );

/** Takes samples in order of time, and makes buckets of them; excluded samples are in none. */
export class BucketCollector {
  readonly #excluded: readonly ExcludedTime[];
  readonly #buckets: LoadBucket[] = [];
  /** Times before this place are over. */
  #place = 0;
  #start: Instant | null = null;
  #within: LoadSample[] = [];

  constructor(excluded: readonly ExcludedTime[]) {
    this.#excluded = apart(excluded);
  }

  add(sample: LoadSample): void {
    if (this.#isExcluded(sample.at)) return;
    const at = rollupStart(sample.at);
    if (at !== this.#start) {
      this.#close();
      [this.#start, this.#within] = [at, []];
    }
    this.#within.push(sample);
  }

  /** The buckets of all samples; none may be added after it. */
  finish(): LoadBucket[] {
    this.#close();
    return this.#buckets;
  }

  #close(): void {
    if (this.#start !== null) this.#buckets.push(bucketOf(this.#start, this.#within));
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
export function loadBuckets(samples: Iterable<LoadSample>, excluded: readonly ExcludedTime[]): LoadBucket[] {
  const collector = new BucketCollector(excluded);
  for (const sample of samples) collector.add(sample);
  return collector.finish();
}

/** The buckets in which ticks were measured; of a server whose world is split into regions, their average counts. */
export const tickBucketsOf = (buckets: readonly LoadBucket[]): LevelBucket[] =>
  buckets.flatMap(({ at, mspt, mspt_region_avg, player_count }) => {
    const value = mspt_region_avg ?? mspt;
    return value === null ? [] : [{ at, value, players: player_count ?? 0 }];
  });
