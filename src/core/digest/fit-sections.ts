/** Lines under a heading; if a message is too long, the last entries are dropped and counted in `more`. */
export interface DigestSection {
  readonly heading: string;
  readonly entries: readonly string[];
  readonly more: number;
  /** The line for the entries that are not listed. */
  readonly moreWords: (count: number) => string;
}

const linesOf = ({ heading, entries, more, moreWords }: DigestSection): string[] => [
  heading,
  ...entries.map((entry) => `- ${entry}`),
  ...(more > 0 ? [`- ${moreWords(more)}`] : []),
];

/** With an empty line before each section. */
export const sectionLines = (sections: readonly DigestSection[]): string[] =>
  sections.flatMap((section) => ["", ...linesOf(section)]);

const withoutLast = (section: DigestSection): DigestSection => ({
  ...section,
  entries: section.entries.slice(0, -1),
  more: section.more + 1,
});

/**
 * Shortens the sections to at most `budget` in units of `costOf`: the most expensive section loses its last
 * entry, again and again.
 */
export function fitSections(
  sections: readonly DigestSection[],
  budget: number,
  costOf: (text: string) => number,
): readonly DigestSection[] {
  let fitting = sections;
  for (;;) {
    const costs = fitting.map((section) => costOf(linesOf(section).join("\n")) + 2);
    if (costs.reduce((sum, cost) => sum + cost, 0) <= budget) return fitting;
    const spare = costs.map((cost, index) => ((fitting[index]?.entries.length ?? 0) > 0 ? cost : 0));
    const longest = spare.indexOf(Math.max(...spare));
    if ((spare[longest] ?? 0) === 0) return fitting;
    fitting = fitting.map((section, index) => (index === longest ? withoutLast(section) : section));
  }
}
