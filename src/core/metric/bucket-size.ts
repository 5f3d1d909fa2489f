const minute = 60;
const day = 24 * 60 * minute;

/** Lengths a bucket can have, seconds. */
const sizes = [
  minute,
  2 * minute,
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  60 * minute,
  2 * 60 * minute,
  3 * 60 * minute,
  6 * 60 * minute,
  12 * 60 * minute,
  day,
  2 * day,
  4 * day,
  7 * day,
  14 * day,
  30 * day,
  60 * day,
] as const;

/**
 * A length of buckets, and the length of the finer ones from which it and every longer length can still be
 * made: their greatest common divisor. Which length is needed is known only after the last point.
 */
export interface BucketSize {
  readonly seconds: number;
  readonly baseSeconds: number;
}

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b);

export const bucketSizes: readonly BucketSize[] = sizes.map((seconds, index) => ({
  seconds,
  baseSeconds: sizes.slice(index).reduce(greatestCommonDivisor),
}));
