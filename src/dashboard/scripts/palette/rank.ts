/** A page, a server, a report, an alert or a guide. */
export interface FoundEntry {
  /** In one word. */
  readonly kind: string;
  readonly name: string;
  /** Further words to search in, such as a state; may be empty. */
  readonly about: string;
  readonly href: string;
}

const shownAtMost = 12;

/**
 * Entries that contain every typed word: first names that begin with the first word, then names with a word
 * that begins with it, then the others, each in the given order.
 */
export function ranked(entries: readonly FoundEntry[], typed: string): FoundEntry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const [first = ""] = words;
  const found = entries.flatMap((entry) => {
    const name = entry.name.toLowerCase();
    const all = `${name} ${entry.kind} ${entry.about}`.toLowerCase();
    if (!words.every((word) => all.includes(word))) return [];
    const rank = name.startsWith(first) ? 0 : name.includes(` ${first}`) ? 1 : name.includes(first) ? 2 : 3;
    return [{ entry, rank }];
  });
  return found
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, shownAtMost)
    .map(({ entry }) => entry);
}
