const minute = 60;
const day = 24 * 60 * minute;

/** Seconds, the shortest first. */
export const bucketSizes = [
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
