import type { LevelBaseline, LevelBucket } from "./baseline.ts";
import { stepUnusualLevel, type LevelChange, type LevelSettings, type LevelState } from "./unusual-level.ts";

/** ms a tick (simulated: test/bench/slower-than-usual.bench.ts); an excess below 5 ms is not felt. */
const settings: LevelSettings = { leastRatio: 1.25, leastExcess: 5 };

/** `stepUnusualLevel` for ticks: the buckets and the baseline are of ms a tick. */
export const stepSlowerThanUsual = (
  state: LevelState,
  buckets: readonly LevelBucket[],
  baseline: LevelBaseline,
): { readonly state: LevelState; readonly changes: readonly LevelChange[] } =>
  stepUnusualLevel(settings, state, buckets, baseline);
