import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A document of the service that models can open: it costs no call, and every caller may read it. */
export interface Guide {
  /** A blob is base64. */
  readonly content: { readonly text: string } | { readonly blob: string };
  readonly definition: {
    readonly uri: string;
    readonly name: string;
    readonly title: string;
    readonly mimeType: string;
  };
}

export interface WrittenGuide extends Guide {
  readonly content: { readonly text: string };
}

const heading = /^# +(.+)$/m;

/** Says what belongs into the folder; no guide. */
const folderPage = "README.md";

/** A guide's title is its first heading. Throws for a guide without a heading. */
export function loadGuides(folder: string): readonly WrittenGuide[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".md") && file !== folderPage);
  return files
    .toSorted()
    .map((file) => guideOf(file.slice(0, -".md".length), readFileSync(join(folder, file), "utf8")));
}

function guideOf(name: string, text: string): WrittenGuide {
  const title = heading.exec(text)?.[1]?.trim();
  if (title === undefined) throw new Error(`The guide ${name} has no heading.`);
  const uri = `tickmark://guides/${name}`;
  return { content: { text }, definition: { uri, name, title, mimeType: "text/markdown" } };
}
