import { parsedJson } from "../../core/parsed-json.ts";

/** A whole string, a comment, or a comma that nothing follows; a string that does not end is no match. */
const token = /"(?:[^"\\]|\\[^])*"|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/|,(?=\s*[\]}])/g;
// eslint-disable-next-line no-control-regex
const control = /[\u0000-\u001f]/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * JSON as the mod loaders take it: a byte order mark, comments, line ends in strings and a comma behind the last
 * entry are allowed. Null, as for the text `null`, if it is not even that.
 */
export function lenientJson(text: string): unknown {
  const plain = text.startsWith("\ufeff") ? text.slice(1) : text;
  const strict = parsedJson(plain);
  if (strict !== null) return strict;
  return parsedJson(
    plain.replace(token, (found) => (found.startsWith('"') ? found.replace(control, escaped) : " ")),
  );
}
