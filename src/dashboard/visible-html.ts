import { isHidden, neutralise } from "../core/text/neutralise.ts";
import { visible } from "../core/text/plain-words.ts";

/** A tag, whose attributes the renderer always quotes; a text area with what is typed in it; or text. */
const parts = /(<textarea\b(?:[^">]|"[^"]*")*>)([^<]*)|<(?:[^">]|"[^"]*")*>|[^<]+/g;
const attribute = /([^\s"=<>/]+)="([^"]*)"/g;

/** Attributes whose value somebody reads. */
const read = new Set(["title", "alt", "placeholder", "label", "aria-label", "aria-description"]);

/** C0 and C1 controls, which a character reference cannot name. */
const isControl = (code: number): boolean => code < 0x20 || (code >= 0x7f && code < 0xa0);

/** The same value by character references, where the characters themselves would be hidden. */
const referred = (value: string): string =>
  Array.from(value, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return isHidden(code) && !isControl(code) ? `&#x${code.toString(16)};` : character;
  }).join("");

const visibleTag = (tag: string): string =>
  tag.replaceAll(attribute, (_, name: string, value: string) =>
    read.has(name) ? `${name}="${visible(value)}"` : `${name}="${referred(value)}"`,
  );

/**
 * Writes out every character of a page that a reader cannot see, in text and in the attributes that are read. It works on
 * the finished HTML, so no page can show a text of others past it. The value of a field stays what it is, because the
 * form sends it back; there the characters are only written as references.
 */
export function visibleHtml(html: string): string {
  if (neutralise(html, Infinity).escaped === 0) return html;
  return html.replaceAll(parts, (part: string, field?: string, typed?: string) => {
    if (field !== undefined) return visibleTag(field) + referred(typed ?? "");
    return part.startsWith("<") ? visibleTag(part) : visible(part);
  });
}
