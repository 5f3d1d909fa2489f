/**
 * The candidate that needs the fewest changed letters (added, removed, replaced or swapped; at most two
 * fifths of its length), else the shortest one that the name abbreviates, such as `DATABASE_URL` for
 * `DB_URL`. Null if there is neither.
 */
export function nearestName(name: string, candidates: readonly string[]): string | null {
  const [nearest] = candidates
    .map((candidate) => ({ candidate, changes: changesBetween(name, candidate) }))
    .filter(({ candidate, changes }) => changes <= candidate.length * 0.4)
    .toSorted((one, other) => one.changes - other.changes);
  if (nearest) return nearest.candidate;
  const [abbreviated] = candidates
    .filter((candidate) => abbreviates(name, candidate))
    .toSorted((one, other) => one.length - other.length);
  return abbreviated ?? null;
}

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
