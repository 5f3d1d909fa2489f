import { expect, it } from "vitest";
import { absence, otherWordsForAbsence } from "../../src/dashboard/words/glossary.ts";
import { filesBelow, read } from "./sources.ts";

const escaped = (word: string): string => word.replaceAll(/[/\\^$*+?.()|[\]{}-]/g, String.raw`\$&`);

/** A literal or the text of an element that is one of these words and nothing else. */
const whole = (words: readonly string[]): RegExp => {
  const any = words.map(escaped).join("|");
  return new RegExp(String.raw`(?:[?:=(]\s*|return |none=)"(?:${any})"|>\s*(?:${any})\s*</`, "gi");
};

const found = (text: string): string[] => text.match(whole(otherWordsForAbsence)) ?? [];

/** Signs that are part of an address or a name, and no text of a page. */
const reviewed = new Set(["src/dashboard/pages/docs/markdown.ts", "src/dashboard/pages/docs/resources.ts"]);

it("[OUR-HPG-110] the gate finds other words for what is not there", () => {
  expect(found('<span class="quiet">not known</span>')).toHaveLength(1);
  expect(found('value === null ? "-" : value')).toHaveLength(1);
  expect(found('return "No data";')).toHaveLength(1);
  expect(found('"the settings are not known"')).toEqual([]);
  expect(found(`value === null ? "${absence.unknown}" : value`)).toEqual([]);
});

it("[OUR-HPG-110] pages have one word each for unknown, not measured, none and never", () => {
  const pages = [...filesBelow(["src/dashboard"], ".tsx"), ...filesBelow(["src/dashboard"], ".ts")].filter(
    (page) => !page.endsWith("words/glossary.ts") && !page.includes("/scripts/") && !reviewed.has(page),
  );
  expect(pages.length).toBeGreaterThan(100);
  expect(pages.flatMap((page) => found(read(page)).map((text) => `${page}: ${text}`))).toEqual([]);
});
