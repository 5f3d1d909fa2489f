/** The label of all values after the first `limit`. */
export const otherLabel = "other";

/** Bounds the number of series: the first `limit` different values are kept, every later one is `other`. */
export function boundedLabels(limit: number): (value: string) => string {
  const known = new Set<string>();
  return (value) => {
    if (known.has(value)) return value;
    if (known.size >= limit) return otherLabel;
    known.add(value);
    return value;
  };
}
