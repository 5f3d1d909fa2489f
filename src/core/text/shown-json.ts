import { neutraliseInto, type Tally } from "./neutralise.ts";

export interface JsonRule {
  /** Compact JSON, bytes of UTF-8: a longer value is refused when read, and shortened when shown. */
  readonly maxBytes: number;
  /** The deepest level that is shown, the value itself being level 1; values are kept at any depth. */
  readonly maxDepth: number;
}

/** The longest key and string, code points. */
export interface JsonCaps extends JsonRule {
  readonly keyCap: number;
  readonly textCap: number;
}

const utf8 = new TextEncoder();

/** Length of the compact JSON, bytes of UTF-8. */
export const shownBytes = (value: unknown): number => utf8.encode(JSON.stringify(value) ?? "").length;

/** Kept free in every shortened array or object for its `…[+N members]`. */
const markerBytes = 40;

const leftOut = (count: number, tally: Tally): string => {
  tally.truncated += 1;
  return `…[+${count} members]`;
};

/** Returns the same array if no item changed. */
export const mapShared = (items: readonly unknown[], map: (item: unknown) => unknown): readonly unknown[] => {
  let copy: unknown[] | undefined;
  let index = 0;
  for (const item of items) {
    const next = map(item);
    if (next !== item) {
      copy ??= [...items];
      copy[index] = next;
    }
    index += 1;
  }
  return copy ?? items;
};

/** Keeps a key `__proto__`; a repeated name (two keys that were cut alike) gets a `…` more. */
export const uniqueEntries = (entries: readonly (readonly [string, unknown])[]): Record<string, unknown> => {
  const unique = new Map<string, unknown>();
  for (const [name, value] of entries) {
    let free = name;
    while (unique.has(free)) free += "…";
    unique.set(free, value);
  }
  return Object.fromEntries(unique);
};

/** `bytesAtMost` grows to an upper bound of the JSON's length, so that few values must be measured. */
interface Walk {
  readonly caps: JsonCaps;
  readonly tally: Tally;
  bytesAtMost: number;
}

/** No number, word or bracket of JSON with its comma is longer. */
const scalarBytes = 26;

const textIn = (text: string, cap: number, walk: Walk): string => {
  const shown = neutraliseInto(walk.tally, text, cap);
  // A UTF-16 unit takes three bytes at most once control characters are escaped; quotes and a separator.
  walk.bytesAtMost += shown.length * 3 + 3;
  return shown;
};

const membersIn = (value: object, depth: number, walk: Walk): object => {
  let isSame = true;
  const names: string[] = [];
  const shown: unknown[] = [];
  for (const [key, member] of Object.entries(value)) {
    const name = textIn(key, walk.caps.keyCap, walk);
    const after = neutralised(member, depth + 1, walk);
    isSame &&= name === key && after === member;
    names.push(name);
    shown.push(after);
  }
  return isSame ? value : uniqueEntries(names.map((name, index) => [name, shown[index]]));
};

const neutralised = (value: unknown, depth: number, walk: Walk): unknown => {
  if (typeof value === "string") return textIn(value, walk.caps.textCap, walk);
  walk.bytesAtMost += scalarBytes;
  if (typeof value !== "object" || value === null) return value;
  if (depth > walk.caps.maxDepth) {
    const { length } = Object.keys(value);
    return length === 0 ? value : textIn(leftOut(length, walk.tally), Infinity, walk);
  }
  if (!Array.isArray(value)) return membersIn(value, depth, walk);
  return mapShared(value, (item) => neutralised(item, depth + 1, walk));
};

/** The leading part that fits in `bytes`; undefined if not even a marker fits. */
const shortened = (value: unknown, bytes: number, tally: Tally): unknown => {
  if (shownBytes(value) <= bytes) return value;
  if (typeof value !== "object" || value === null || bytes < markerBytes) return undefined;
  const isArray = Array.isArray(value);
  const entries = Object.entries(value);
  const kept: [string, unknown][] = [];
  let left = bytes - markerBytes;
  for (const [key, member] of entries) {
    // What a key adds: its own bytes, a colon and a comma.
    const own = isArray ? 1 : shownBytes(key) + 2;
    const fitting = left > own ? shortened(member, left - own, tally) : undefined;
    if (fitting === undefined) break;
    kept.push([key, fitting]);
    left -= own + shownBytes(fitting);
    if (fitting !== member) break;
  }
  const rest = entries.length - kept.length;
  if (isArray) return [...kept.map(([, member]) => member), ...(rest > 0 ? [leftOut(rest, tally)] : [])];
  return uniqueEntries(rest > 0 ? [...kept, [leftOut(rest, tally), null]] : kept);
};

/** Levels below `maxDepth` and members beyond `maxBytes` become `…[+N members]`. Same value if unchanged. */
export const showJson = (value: unknown, caps: JsonCaps, tally: Tally): unknown => {
  const walk: Walk = { caps, tally, bytesAtMost: 0 };
  const shown = neutralised(value, 1, walk);
  if (walk.bytesAtMost <= caps.maxBytes) return shown;
  return shortened(shown, caps.maxBytes, tally) ?? leftOut(1, tally);
};
