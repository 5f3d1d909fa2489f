/** What a page holds: its elements in order, and its text as a reader sees it. */
export interface ReadPage {
  readonly elements: readonly string[];
  /** Of all elements, name and value, in order. */
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly text: string;
}

const entities: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&quot;": '"',
  "&#39;": "'",
};

const decoded = (text: string): string =>
  text.replaceAll(/&(?:lt|gt|amp|quot|#39);|&#x([0-9a-f]+);/g, (entity, hex?: string) =>
    hex === undefined ? (entities[entity] ?? entity) : String.fromCodePoint(Number.parseInt(hex, 16)),
  );

const name = /[a-zA-Z]/;

/** Reads the HTML of our own pages the way a browser's tokenizer does: every tag, comment and attribute in it. */
export function readHtml(html: string): ReadPage {
  const elements: string[] = [];
  const attributes: [string, string][] = [];
  let text = "";
  for (let at = 0; at < html.length;) {
    const next = html[at + 1] ?? "";
    if (html[at] !== "<" || !(name.test(next) || next === "/" || next === "!" || next === "?")) {
      text += html[at];
      at += 1;
      continue;
    }
    if (!name.test(next)) {
      const end = html.indexOf(">", at);
      if (next !== "/") elements.push(html.slice(at, at + 4));
      at = end === -1 ? html.length : end + 1;
      continue;
    }
    at = readTag(html, at + 1, elements, attributes);
  }
  return { elements, attributes, text: decoded(text) };
}

/** Reads a start tag from its name on; answers where it ends. */
function readTag(html: string, from: number, elements: string[], attributes: [string, string][]): number {
  const tag = /^[^\s/>]+/.exec(html.slice(from, from + 200))?.[0] ?? "";
  elements.push(tag.toLowerCase());
  let at = from + tag.length;
  while (at < html.length && html[at] !== ">") {
    const attribute = /^[\s/]*([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/.exec(html.slice(at));
    if (!attribute?.[1]) {
      at += 1;
      continue;
    }
    attributes.push([
      attribute[1].toLowerCase(),
      decoded(attribute[2] ?? attribute[3] ?? attribute[4] ?? ""),
    ]);
    at += attribute[0].length;
  }
  return at + 1;
}
