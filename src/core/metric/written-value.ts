/**
 * A mean as it is written out: three decimals are finer than any measurement here. It never leaves the range of
 * the values behind it, so a mean of equal values is that value. Measured values are written as they are.
 */
export const toThousandths = (mean: number, min: number, max: number): number =>
  Math.min(max, Math.max(min, Math.round(mean * 1000) / 1000));
