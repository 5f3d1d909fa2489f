export const ascending = (values: readonly number[]): Float64Array => new Float64Array(values).sort();

/** The same value twice if the number of values is odd. Throws a RangeError for no values. */
export function middle(sorted: ArrayLike<number>): readonly [number, number] {
  const low = sorted[(sorted.length - 1) >> 1];
  const high = sorted[sorted.length >> 1];
  if (low === undefined || high === undefined) throw new RangeError("Nothing to take the middle of.");
  return [low, high];
}

/** For an even number of values, the mean of the two middle ones. Throws a RangeError for no values. */
export function median(values: readonly number[]): number {
  const [low, high] = middle(ascending(values));
  return (low + high) / 2;
}

/** Up to this many values, insertion sort is four times as fast as a sort with a compare function. */
const few = 32;

function sortFew(values: number[]): number[] {
  if (values.length > few) return values.sort((a, b) => a - b);
  for (let end = 1; end < values.length; end += 1) {
    const value = values[end] ?? 0;
    let place = end;
    for (let before = values[place - 1] ?? 0; place > 0 && before > value; before = values[place - 1] ?? 0) {
      values[place] = before;
      place -= 1;
    }
    values[place] = value;
  }
  return values;
}

/** Sorts `values` in place: for nine numbers that costs less than the typed array of `median`. */
export function medianOfFew(values: number[]): number {
  const [low, high] = middle(sortFew(values));
  return (low + high) / 2;
}

// 1 / Φ⁻¹(3/4): makes the median absolute deviation of normal noise its standard deviation.
const normalConsistency = 1.4826;

/**
 * 1.4826 times the median absolute deviation from the median (Hampel, 1974), in the unit of the values.
 * Outliers of fewer than half of the values cannot move it far. Throws a RangeError for no values.
 */
export function robustDeviation(values: readonly number[]): number {
  const centre = median(values);
  return normalConsistency * median(values.map((value) => Math.abs(value - centre)));
}
