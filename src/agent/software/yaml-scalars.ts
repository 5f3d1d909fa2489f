import { textLines } from "./text-lines.ts";

/** Deeper keys are left out; no configuration file has any. */
const deepest = 16;

interface Level {
  readonly indent: number;
  /** Null below a value that is no mapping: nothing there is a key. */
  readonly path: string | null;
  readonly depth: number;
}

/**
 * Plain, single-line values of nested mappings, by their dotted path; others are left out, and of two equal
 * keys the later counts. Never throws; the cost is linear in the length.
 */
export function yamlScalars(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const levels: Level[] = [{ indent: -1, path: "", depth: 0 }];
  for (const line of textLines(text.replace(/^\uFEFF/, ""))) {
    const indent = leadingSpaces(line);
    if (indent === line.length || line[indent] === "#") continue;
    while (indent <= (levels.at(-1)?.indent ?? -1)) levels.pop();
    const above = levels.at(-1);
    const key = keyOf(line, indent);
    if (key === null) {
      // An entry of a list, or text of several lines: deeper lines belong to it.
      levels.push({ indent, path: null, depth: deepest });
      continue;
    }
    if (!above) continue;
    const isKnown = above.path !== null && above.depth < deepest;
    const path = isKnown ? (above.path === "" ? key.name : `${above.path}.${key.name}`) : null;
    const rest = line.slice(key.end).trim();
    const isMapping = rest === "" || rest.startsWith("#");
    // Values below an earlier key of the same name stay; only a value replaces a value.
    const value = path === null || isMapping ? null : yamlValue(rest);
    if (path !== null && value !== null) found.set(path, value);
    levels.push({ indent, path: isMapping ? path : null, depth: above.depth + 1 });
  }
  return found;
}

function leadingSpaces(line: string): number {
  let at = 0;
  while (line[at] === " ") at += 1;
  return at;
}

/** A key is followed by a colon and a space, or by a colon at the line's end. */
const plainKey = /^[\w.-]{1,100}(?=:(?:\s|$))/;
const quotedKey = /^(["'])([\w.-]{1,100})\1(?=:(?:\s|$))/;
/** The part of a line in which a key is looked for, characters. */
const longestKey = 110;

function keyOf(line: string, from: number): { readonly name: string; readonly end: number } | null {
  if (!line.includes(":", from)) return null;
  const start = line.slice(from, from + longestKey);
  const quoted = quotedKey.exec(start);
  const name = quoted?.[2] ?? plainKey.exec(start)?.[0];
  return name === undefined ? null : { name, end: from + (quoted?.[0] ?? name).length + 1 };
}

const quotedDouble = /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/;
const quotedSingle = /^'((?:[^']|'')*)'\s*(?:#.*)?$/;

function yamlValue(rest: string): string | null {
  if (rest.startsWith('"')) return unescaped(quotedDouble.exec(rest)?.[1]);
  if (rest.startsWith("'")) return quotedSingle.exec(rest)?.[1]?.replaceAll("''", "'") ?? null;
  // These begin lists, mappings, anchors, tags and blocks of text.
  if ("[{&*!|>%@`-?".includes(rest[0] ?? "") && !/^-\d/.test(rest)) return null;
  const comment = rest.indexOf(" #");
  const plain = (comment < 0 ? rest : rest.slice(0, comment)).trim();
  return plain === "~" || plain === "null" ? null : plain;
}

/** Reads the escapes that YAML and TOML share with JSON; null for others. */
export function unescaped(inside: string | undefined): string | null {
  if (inside === undefined || !inside.includes("\\")) return inside ?? null;
  try {
    return String(JSON.parse(`"${inside}"`));
  } catch {
    return null;
  }
}
