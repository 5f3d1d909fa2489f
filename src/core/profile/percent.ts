/** Hundredths of a percent in a whole. */
const whole = 10_000;

/** Percent with two decimals, a half rounded up. 0 without a whole. */
export const pctOf = (part: number, of: number): number =>
  of > 0 ? Math.round((part * whole) / of) / 100 : 0;

/** Like `pctOf`, but rounded up, for upper bounds. */
export const pctAtMost = (part: number, of: number): number =>
  of > 0 ? Math.ceil((part * whole) / of) / 100 : 0;

/**
 * Percents with two decimals of parts that exclude one another, each within 0.01 of its own share; a larger
 * part never has the smaller one. They add up to their sum's share, rounded down, so that a complete list has
 * 100 (largest remainders; of equal ones the earlier part is rounded up).
 */
export function apportion(parts: readonly number[], of: number): number[] {
  if (of <= 0) return parts.map(() => 0);
  const exact = parts.map((part) => (part * whole) / of);
  const hundredths = exact.map(Math.floor);
  const sum = parts.reduce((before, part) => before + part, 0);
  const left = Math.floor((sum * whole) / of) - hundredths.reduce((before, part) => before + part, 0);
  const remainder = exact.map((share, index) => share - (hundredths[index] ?? 0));
  const roundedUp = remainder
    .map((_, index) => index)
    .sort((one, other) => (remainder[other] ?? 0) - (remainder[one] ?? 0) || one - other)
    .slice(0, Math.max(0, left));
  for (const index of roundedUp) hundredths[index] = (hundredths[index] ?? 0) + 1;
  return hundredths.map((share) => share / 100);
}

/** The first `most` items by `compare`, in order; takes time linear in the number of items. */
export function heaviest<Item>(
  items: Iterable<Item>,
  most: number,
  compare: (one: Item, other: Item) => number,
): Item[] {
  const kept: Item[] = [];
  for (const item of items) {
    const last = kept.at(-1);
    if (last !== undefined && kept.length >= most && compare(item, last) >= 0) continue;
    let place = kept.length;
    while (place > 0) {
      const before = kept[place - 1];
      if (before === undefined || compare(before, item) <= 0) break;
      place -= 1;
    }
    kept.splice(place, 0, item);
    if (kept.length > most) kept.pop();
  }
  return kept;
}
