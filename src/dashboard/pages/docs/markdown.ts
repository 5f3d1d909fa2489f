export type Inline =
  | { readonly kind: "text" | "code"; readonly text: string }
  | { readonly kind: "strong" | "emphasis"; readonly parts: readonly Inline[] }
  | { readonly kind: "link"; readonly href: string; readonly parts: readonly Inline[] };

export type MarkdownBlock =
  | { readonly kind: "heading"; readonly level: number; readonly text: string; readonly id: string }
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "list"; readonly ordered: boolean; readonly items: readonly string[] }
  | {
      readonly kind: "table";
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  | { readonly kind: "code"; readonly text: string };

const item = /^(?:[-*]|(\d{1,9})\.) (.*)$/;

/** Headings, paragraphs, flat lists, tables and fenced code; anything else is a paragraph. */
export function readMarkdown(text: string): MarkdownBlock[] {
  const lines = text.split("\n");
  const blocks: MarkdownBlock[] = [];
  const ids = new Map<string, number>();
  for (let at = 0; at < lines.length;) {
    const [block, next] = readBlock(lines, at, ids);
    if (block) blocks.push(block);
    at = next;
  }
  return blocks;
}

type Read = readonly [block: MarkdownBlock | null, next: number];

function readBlock(lines: readonly string[], at: number, ids: Map<string, number>): Read {
  const line = lines[at] ?? "";
  if (line.trim() === "") return [null, at + 1];
  if (line.startsWith("```")) return readCode(lines, at);
  const heading = /^(#{1,6}) (.+)$/.exec(line);
  if (heading) {
    const [, marks = "", text = ""] = heading;
    return [{ kind: "heading", level: marks.length, text, id: idOf(text, ids) }, at + 1];
  }
  if (line.startsWith("|")) return readTable(lines, at);
  return item.test(line) ? readList(lines, at) : readParagraph(lines, at);
}

function readCode(lines: readonly string[], at: number): Read {
  let end = at + 1;
  while (end < lines.length && !(lines[end] ?? "").startsWith("```")) end += 1;
  return [{ kind: "code", text: lines.slice(at + 1, end).join("\n") }, end + 1];
}

function readTable(lines: readonly string[], at: number): Read {
  let end = at;
  while ((lines[end] ?? "").startsWith("|")) end += 1;
  const [head = [], , ...rows] = lines.slice(at, end).map(cellsOf);
  return [{ kind: "table", head, rows }, end];
}

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\||\|\s*$/g, "")
    .split("|")
    .map((cell) => cell.trim());

/** Indented lines continue an item. */
function readList(lines: readonly string[], at: number): Read {
  const items: string[] = [];
  let end = at;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? "";
    const found = item.exec(line);
    if (found) items.push(found[2] ?? "");
    else if (/^ +\S/.test(line)) items.push(`${items.pop() ?? ""} ${line.trim()}`);
    else break;
  }
  return [{ kind: "list", ordered: item.exec(lines[at] ?? "")?.[1] !== undefined, items }, end];
}

function readParagraph(lines: readonly string[], at: number): Read {
  let end = at + 1;
  while (end < lines.length && !/^(?:\s*$|#|\||```)/.test(lines[end] ?? "") && !item.test(lines[end] ?? ""))
    end += 1;
  return [{ kind: "paragraph", text: lines.slice(at, end).join(" ") }, end];
}

/** The heading's words, with a number if they repeat. */
function idOf(text: string, ids: Map<string, number>): string {
  const slug =
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9_]+/g, "-")
      .replaceAll(/^-|-$/g, "") || "part";
  const count = (ids.get(slug) ?? 0) + 1;
  ids.set(slug, count);
  return count === 1 ? slug : `${slug}-${count}`;
}

const inlines: readonly (readonly [RegExp, (match: RegExpExecArray) => Inline])[] = [
  [/^`([^`]+)`/, ([, text = ""]) => ({ kind: "code", text })],
  [/^\*\*([^*]+)\*\*/, ([, text = ""]) => ({ kind: "strong", parts: readInline(text) })],
  [/^\*([^*\s][^*]*)\*/, ([, text = ""]) => ({ kind: "emphasis", parts: readInline(text) })],
  [
    /^\[([^\]]+)\]\(((?:https?:\/\/|\/(?!\/)|#)[^)\s]*)\)/,
    ([, text = "", href = ""]) => ({ kind: "link", href, parts: readInline(text) }),
  ],
  // An address in angle brackets.
  [
    /^<(https?:\/\/[^>\s]+)>/,
    ([, href = ""]) => ({ kind: "link", href, parts: [{ kind: "text", text: href }] }),
  ],
];

/** Code, strong text, emphasis and links; everything else is text. */
export function readInline(text: string): Inline[] {
  const parts: Inline[] = [];
  let plain = "";
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at);
    // Images are not supported: they stay text, with the link that they contain.
    const found = /^[`*[<]/.test(rest) && !plain.endsWith("!") ? firstOf(rest) : null;
    if (found === null) {
      plain += text[at];
      at += 1;
      continue;
    }
    if (plain !== "") parts.push({ kind: "text", text: plain });
    plain = "";
    parts.push(found.part);
    at += found.length;
  }
  return plain === "" ? parts : [...parts, { kind: "text", text: plain }];
}

function firstOf(rest: string): { part: Inline; length: number } | null {
  for (const [form, make] of inlines) {
    const match = form.exec(rest);
    if (match) return { part: make(match), length: match[0].length };
  }
  return null;
}
