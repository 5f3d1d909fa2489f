/** What stands in a label in place of the values that came after the first `limit`. */
export const otherLabel = "other";

/**
 * Keeps the number of series bounded whatever is requested: the first `limit` different values are themselves, and
 * every further one is `other`.
 */
export function boundedLabels(limit: number): (value: string) => string {
  const known = new Set<string>();
  return (value) => {
    if (known.has(value)) return value;
    if (known.size >= limit) return otherLabel;
    known.add(value);
    return value;
  };
}
