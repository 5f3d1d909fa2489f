/** Version of the rule; a new one for any change of what is in this file. */
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

/** Days of runs that are looked at, and after how many without a run nothing is said of now. */
export const windowDays = 90;
export const staleDays = 21;

/** Points of a sudden drop, and how many times the noise each of them lies below the median before. */
export const fastPoints = 3;
export const fastNoise = 2.5;

/** Points from which a slow drop is looked for, and how many times the noise it is. */
export const slowMinPoints = 10;
export const slowNoise = 1.8;

/** How many points back the beginning of a drop is looked for. */
export const onsetWithin = 10;

/** Points a comparison stands on: fewer are no baseline, and no side of a trend. */
export const leastBaseline = 5;

/** The lower bound of the change is wrong this often. */
export const lowerBoundAlpha = 0.05;
