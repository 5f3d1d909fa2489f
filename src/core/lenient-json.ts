import { parsedJson } from "./parsed-json.ts";

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** The end of the string that begins at this place, or of the text. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

/** The end of the comment that begins at this place; null if none does. */
function endOfComment(text: string, from: number): number | null {
  const isLine = text.startsWith("//", from);
  if (!isLine && !text.startsWith("/*", from)) return null;
  const end = text.indexOf(isLine ? "\n" : "*/", from + 2);
  if (end < 0) return text.length;
  return isLine ? end : end + 2;
}

/** The same as strict JSON: without comments and last commas, and with escapes for line ends in strings. */
function strictJson(text: string): string {
  const parts: string[] = [];
  let comma: number | null = null;
  for (let at = 0; at < text.length;) {
    const character = text[at] ?? "";
    const endComment = character === "/" ? endOfComment(text, at) : null;
    const end = endComment ?? (character === '"' ? endOfString(text, at) : at + 1);
    if (comma !== null && (character === "]" || character === "}")) parts[comma] = " ";
    if (character === ",") comma = parts.length;
    else if (endComment === null && character.trim() !== "") comma = null;
    const part = endComment === null ? text.slice(at, end) : " ";
    // eslint-disable-next-line no-control-regex
    parts.push(character === '"' ? part.replace(/[\u0000-\u001f]/g, escaped) : part);
    at = end;
  }
  return parts.join("");
}

/**
 * JSON as the loaders of mods take it: a byte order mark, comments, line ends in strings and a comma behind the
 * last entry are allowed. Null, as for the text `null`, if it is not even that.
 */
export function lenientJson(text: string): unknown {
  const plain = text.startsWith("\ufeff") ? text.slice(1) : text;
  return parsedJson(plain) ?? parsedJson(strictJson(plain));
}
