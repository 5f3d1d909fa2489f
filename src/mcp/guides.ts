import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A text of ours that models can open: costs no call, and every caller may read it. */
export interface Guide {
  readonly text: string;
  readonly definition: {
    readonly uri: string;
    readonly name: string;
    readonly title: string;
    readonly mimeType: "text/markdown";
  };
}

const heading = /^# +(.+)$/m;

/** Reads every guide of a folder once, at the start; its title is its first heading. */
export function loadGuides(folder: string): readonly Guide[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".md"));
  return files
    .toSorted()
    .map((file) => guideOf(file.slice(0, -".md".length), readFileSync(join(folder, file), "utf8")));
}

function guideOf(name: string, text: string): Guide {
  const title = heading.exec(text)?.[1]?.trim();
  if (title === undefined) throw new Error(`The guide ${name} has no heading.`);
  return { text, definition: { uri: `tickmark://guides/${name}`, name, title, mimeType: "text/markdown" } };
}
