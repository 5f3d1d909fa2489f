/** A thing that can be found: a page, a server, a report, an alert, a guide. */
export interface FoundEntry {
  /** What kind of thing it is, in a word. */
  readonly kind: string;
  readonly name: string;
  /** Further words by which it is found, such as a state; empty if there are none. */
  readonly about: string;
  readonly href: string;
}

/** The largest number of entries that are shown. */
const shownAtMost = 12;

/**
 * The entries that contain every typed word, best first: names that begin with the first word, then names with a word
 * that begins with it, then the others, each in the given order. Without a word these are the first entries.
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
