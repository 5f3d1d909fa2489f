import { dayMs, minuteMs } from "../../time.ts";
import { tieBand } from "../compare.ts";

/** Version of the rule; a new one for any change of what is in this file. */
export const beforeAfterRuleVersion = "1";

/** Runs of each side, percent of the larger of two values, and score points. */
export const beforeAfterThresholds = {
  /** At three runs a side, complete separation has a two-sided p of 0.10, the smallest there is. */
  runs_per_side: 3,
  tie_band_relative_percent: tieBand.relative_percent,
  tie_band_absolute: tieBand.absolute,
  /** Half the tie band: what must lie between the nearest runs of the two sides. */
  min_gap_percent: 2.5,
  max_spread_percent: 20,
} as const;

/** A bound may be wrong this often on each side: the interval holds the shift in 90 % of cases or more. */
export const boundAlpha = 0.05;

/** Fewer runs a side than this leave little to be said. */
export const smallSampleRuns = 4;

/** What lies far apart, or too close together, to be quite the same conditions, ms. */
export const longGapMs = 14 * dayMs;
export const sideSpanMs = 3 * dayMs;
/** Caches are still warm. */
export const backToBackMs = 10 * minuteMs;
