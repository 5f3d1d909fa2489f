import { dayMs, minuteMs } from "../../time.ts";
import { tieBand } from "../compare.ts";

/** Any change in this file makes a new version. */
export const beforeAfterRuleVersion = "1";

/** Runs of each side, percent of the larger of two values, and score points. */
export const beforeAfterThresholds = {
  /** At three runs a side, complete separation has a two-sided p of 0.10, the smallest there is. */
  runs_per_side: 3,
  tie_band_relative_percent: tieBand.relative_percent,
  tie_band_absolute: tieBand.absolute,
  /** Half the tie band; the near end of the interval must lie beyond it. */
  min_gap_percent: 2.5,
  max_spread_percent: 20,
} as const;

/** Error rate of each end of the interval, which thus holds the shift in 90 % of cases or more. */
export const boundAlpha = 0.05;

/** A side with this many runs or fewer is a small sample. */
export const smallSampleRuns = 4;

/** Runs this far apart may have other conditions, ms. */
export const longGapMs = 14 * dayMs;
export const sideSpanMs = 3 * dayMs;
/** In runs closer together than this, ms, caches are still warm. */
export const backToBackMs = 10 * minuteMs;
