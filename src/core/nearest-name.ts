/** A candidate needs at most this share of its letters changed. */
const mostChanged = 0.4;

/**
 * The candidates that need few changed letters (added, removed, replaced or swapped; at most two fifths of
 * their length), the fewest first, then those that the name abbreviates, such as `DATABASE_URL` for `DB_URL`,
 * the shortest first.
 */
export function nearestNames(name: string, candidates: readonly string[]): string[] {
  const near = candidates
    .filter((candidate) => Math.abs(candidate.length - name.length) <= candidate.length * mostChanged)
    .map((candidate) => ({ candidate, changes: changesBetween(name, candidate) }))
    .filter(({ candidate, changes }) => changes <= candidate.length * mostChanged)
    .toSorted((one, other) => one.changes - other.changes)
    .map(({ candidate }) => candidate);
  const abbreviated = candidates
    .filter((candidate) => !near.includes(candidate) && abbreviates(name, candidate))
    .toSorted((one, other) => one.length - other.length);
  return [...near, ...abbreviated];
}

/** The nearest one; null if none is near. */
export const nearestName = (name: string, candidates: readonly string[]): string | null =>
  nearestNames(name, candidates)[0] ?? null;

/** Whether the letters of `name` occur in `word` in the same order. */
function abbreviates(name: string, word: string): boolean {
  let place = -1;
  for (const letter of name) {
    place = word.indexOf(letter, place + 1);
    if (place === -1) return false;
  }
  return name.length > 1;
}

/** The Damerau–Levenshtein distance, in which two swapped letters are one change. */
function changesBetween(from: string, to: string): number {
  let [before, above]: number[][] = [[], Array.from({ length: to.length + 1 }, (_, place) => place)];
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1] ? 0 : 1;
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
          ? (before?.[column - 2] ?? Infinity) + 1
          : Infinity;
      current.push(
        Math.min(
          (above?.[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (above?.[column - 1] ?? 0) + same,
          swapped,
        ),
      );
    }
    [before, above] = [above, current];
  }
  return above?.[to.length] ?? 0;
}
