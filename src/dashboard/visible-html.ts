import { isHidden, neutralise } from "../core/text/neutralise.ts";
import { visible } from "../core/text/plain-words.ts";

/** Attributes that are shown or read out. */
const read = new Set(["title", "alt", "placeholder", "label", "aria-label", "aria-description"]);

/** C0 and C1 controls, which a character reference cannot name. */
const isControl = (code: number): boolean => code < 0x20 || (code >= 0x7f && code < 0xa0);

const referred = (value: string): string =>
  Array.from(value, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return isHidden(code) && !isControl(code) ? `&#x${code.toString(16)};` : character;
  }).join("");

/** Returns the tag that begins at `from`, and the index of its end. The renderer quotes every attribute. */
function visibleTag(html: string, from: number): { readonly tag: string; readonly end: number } {
  const mark = /[">]/g;
  let [tag, at] = ["", from];
  for (;;) {
    mark.lastIndex = at;
    const found = mark.exec(html);
    if (found?.[0] !== '"') {
      const end = found ? found.index + 1 : html.length;
      return { tag: tag + html.slice(at, end), end };
    }
    const before = html.slice(at, found.index + 1);
    const close = html.indexOf('"', found.index + 1);
    const end = close === -1 ? html.length : close;
    const value = html.slice(found.index + 1, end);
    const name = before.slice(before.lastIndexOf(" ") + 1, -2);
    tag += before + (read.has(name) ? visible(value) : referred(value)) + html.slice(end, end + 1);
    at = end + 1;
  }
}

/**
 * Runs on the finished HTML, so it covers every text. Values of fields are sent back, so they keep hidden
 * characters, as character references.
 */
export function visibleHtml(html: string): string {
  if (neutralise(html, Infinity).escaped === 0) return html;
  let [out, at, isField] = ["", 0, false];
  while (at < html.length) {
    if (html[at] === "<") {
      const { tag, end } = visibleTag(html, at);
      isField = tag.startsWith("<textarea");
      [out, at] = [out + tag, end];
      continue;
    }
    const next = html.indexOf("<", at);
    const text = html.slice(at, next === -1 ? html.length : next);
    out += isField ? referred(text) : visible(text);
    at += text.length;
  }
  return out;
}
