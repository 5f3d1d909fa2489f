import { unescaped } from "./yaml-scalars.ts";

const header = /^\[\[?\s*([\w.-]{1,100})\s*\]\]?\s*(?:#.*)?$/;
const assignment = /^([\w-]{1,100})\s*=\s*/;
const basic = /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/;
const literal = /^'([^']*)'\s*(?:#.*)?$/;

/** Single-line strings of the first table or array entry called `name`. Never throws, in linear time. */
export function tomlStrings(text: string, name: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let isInside = false;
  let openQuotes: string | null = null;
  for (const written of text.replace(/^\uFEFF/, "").split("\n")) {
    const line = written.trim();
    if (openQuotes !== null) {
      if (line.includes(openQuotes)) openQuotes = null;
      continue;
    }
    const table = header.exec(line)?.[1];
    if (table !== undefined) {
      if (isInside) break;
      isInside = table === name;
      continue;
    }
    const key = assignment.exec(line);
    if (key === null) continue;
    const value = line.slice(key[0].length);
    openQuotes = opened(value);
    const string = unescaped(basic.exec(value)?.[1]) ?? literal.exec(value)?.[1];
    if (isInside && openQuotes === null && string !== undefined) found.set(key[1] ?? "", string);
  }
  return found;
}

/** The quotes that open a multi-line string, unless it ends on the same line. */
function opened(value: string): string | null {
  const quotes = value.slice(0, 3);
  if (quotes !== '"""' && quotes !== "'''") return null;
  return value.includes(quotes, 3) ? null : quotes;
}
