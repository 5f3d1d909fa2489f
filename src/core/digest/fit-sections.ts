/** Lines under a heading; entries go from the end where a message is too long, and are counted. */
export interface DigestSection {
  readonly heading: string;
  readonly entries: readonly string[];
  /** Entries behind these. */
  readonly more: number;
  /** What the entries that are not listed are called. */
  readonly moreWords: (count: number) => string;
}

const linesOf = ({ heading, entries, more, moreWords }: DigestSection): string[] => [
  heading,
  ...entries.map((entry) => `- ${entry}`),
  ...(more > 0 ? [`- ${moreWords(more)}`] : []),
];

/** The sections as lines, an empty line between two of them. */
export const sectionLines = (sections: readonly DigestSection[]): string[] =>
  sections.flatMap((section) => ["", ...linesOf(section)]);

const withoutLast = (section: DigestSection): DigestSection => ({
  ...section,
  entries: section.entries.slice(0, -1),
  more: section.more + 1,
});

/**
 * The sections in at most `budget`, by what `costOf` counts of a text: as long as they are too long, the section that
 * costs the most gives up its last entry.
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
