/** Increase it with any change in this file. */
export const regressionRuleVersion = "1";

/** As answers publish them: percent of the value before, points (days with runs), and a one-sided p. */
export const regressionThresholds = {
  band_percent: 5,
  exclude_drop_percent: 10,
  min_points: 8,
  recent_points: 5,
  max_noise_percent: 12,
  p: 0.005,
} as const;

/** Days of runs that are judged, and days without a run after which the verdict is `stale`. */
export const windowDays = 90;
export const staleDays = 21;

/** Points of a sudden drop, and how many times the noise each is below the earlier median. */
export const fastPoints = 3;
export const fastNoise = 2.5;

/** Points that a slow drop needs, and how many times the noise it must be. */
export const slowMinPoints = 10;
export const slowNoise = 1.8;

/** The beginning of a drop is one of this many last points. */
export const onsetWithin = 10;

/** Points of a baseline, and of each side of a trend. */
export const leastBaseline = 5;

/** The lower bound of the change is wrong this often. */
export const lowerBoundAlpha = 0.05;
