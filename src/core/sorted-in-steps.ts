/** Sorts like `toSorted`, and pauses after about `step` values. */
export function* sortedInSteps<T>(
  values: readonly T[],
  compare: (one: T, other: T) => number,
  step: number,
): Generator<void, T[]> {
  let runs: T[][] = [];
  for (let start = 0; start < values.length; start += step) {
    runs.push(values.slice(start, start + step).toSorted(compare));
    if (start + step < values.length) yield;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let index = 0; index < runs.length; index += 2)
      merged.push(yield* mergedInSteps(runs[index] ?? [], runs[index + 1] ?? [], compare, step));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergedInSteps<T>(
  one: readonly T[],
  other: readonly T[],
  compare: (one: T, other: T) => number,
  step: number,
): Generator<void, T[]> {
  const merged: T[] = [];
  let [left, right] = [0, 0];
  while (left < one.length && right < other.length) {
    // Equal values keep their order.
    merged.push(compare(one[left] as T, other[right] as T) <= 0 ? (one[left++] as T) : (other[right++] as T));
    if (merged.length % (4 * step) === 0) yield;
  }
  return merged.concat(one.slice(left), other.slice(right));
}
