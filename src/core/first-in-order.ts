/** The first `count` values as a sort of all of them would give, in a time that grows little with `count`. */
export function firstInOrder<T>(
  values: readonly T[],
  compare: (one: T, other: T) => number,
  count: number,
): T[] {
  const first: T[] = [];
  for (const value of values) {
    const last = first[count - 1];
    if (last !== undefined && compare(last, value) <= 0) continue;
    let [low, high] = [0, first.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(first[middle] as T, value) <= 0) low = middle + 1;
      else high = middle;
    }
    first.splice(low, 0, value);
    if (first.length > count) first.pop();
  }
  return first;
}
