import type { LevelBaseline, LevelBucket } from "./baseline.ts";
import {
  limitOf,
  stepUnusualLevel,
  type LevelChange,
  type LevelEvidence,
  type LevelSettings,
  type LevelState,
} from "./unusual-level.ts";

/** ms a tick (simulated: test/bench/slower-than-usual.bench.ts); less than 5 ms more is not noticeable. */
const settings: LevelSettings = { leastRatio: 1.25, leastExcess: 5 };

export const stepSlowerThanUsual = (
  state: LevelState,
  buckets: readonly LevelBucket[],
  baseline: LevelBaseline,
  before: readonly LevelBucket[] = [],
): { readonly state: LevelState; readonly changes: readonly LevelChange[] } =>
  stepUnusualLevel(settings, state, buckets, baseline, before);

export const slownessLimit = (evidence: LevelEvidence): ReturnType<typeof limitOf> =>
  limitOf(settings, evidence);
