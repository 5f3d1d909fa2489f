import { rollupMs, rollupStart } from "../metric/chunk.ts";
import type { SeriesField } from "../metric/sample.ts";
import { middle } from "../statistics/order.ts";
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

function medianOf(values: number[]): number | null {
  if (values.length === 0) return null;
  const [low, high] = middle(values.sort((a, b) => a - b));
  return Math.round(((low + high) / 2) * 100) / 100;
}

function bucketOf(at: Instant, samples: readonly LoadSample[]): LoadBucket {
  const bucket: Record<string, number | null> = { at };
  for (const [place, field] of loadFields.entries())
    bucket[field] = medianOf(
      samples.map(({ values }) => values[place] ?? Number.NaN).filter((value) => !Number.isNaN(value)),
    );
  // Sound: every field of the list was set just now.
  return bucket as unknown as LoadBucket;
}

/** The buckets of samples that come in order of time; excluded samples are in none. */
export function loadBuckets(samples: Iterable<LoadSample>, excluded: readonly ExcludedTime[]): LoadBucket[] {
  const buckets: LoadBucket[] = [];
  let start: Instant | null = null;
  let within: LoadSample[] = [];
  const close = (): void => {
    if (start !== null) buckets.push(bucketOf(start, within));
  };
  for (const sample of samples) {
    if (excluded.some(({ from, to }) => sample.at >= from && sample.at < to)) continue;
    const at = rollupStart(sample.at);
    if (at !== start) {
      close();
      [start, within] = [at, []];
    }
    within.push(sample);
  }
  close();
  return buckets;
}

/** The buckets in which ticks were measured; of a server whose world is split into regions, their average counts. */
export const tickBucketsOf = (buckets: readonly LoadBucket[]): LevelBucket[] =>
  buckets.flatMap(({ at, mspt, mspt_region_avg, player_count }) => {
    const value = mspt_region_avg ?? mspt;
    return value === null ? [] : [{ at, value, players: player_count ?? 0 }];
  });
