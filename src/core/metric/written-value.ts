/** Three decimals are finer than any measurement here. A mean of equal values stays that value. */
export const toThousandths = (mean: number, min: number, max: number): number =>
  Math.min(max, Math.max(min, Math.round(mean * 1000) / 1000));
