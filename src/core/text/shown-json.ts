import { neutraliseInto, type Tally } from "./neutralise.ts";

/** How large a third-party JSON value may be. */
export interface JsonRule {
  /** Longest compact JSON in bytes of UTF-8: refused above it when read, shortened to it when shown. */
  readonly maxBytes: number;
  /** Deepest level of objects and arrays that is shown, the value itself being level 1; kept at any depth. */
  readonly maxDepth: number;
}

/** `JsonRule` and the longest key and string, in code points. */
export interface JsonCaps extends JsonRule {
  readonly keyCap: number;
  readonly textCap: number;
}

const utf8 = new TextEncoder();

/** The length of a value's compact JSON in bytes of UTF-8. */
export const shownBytes = (value: unknown): number => utf8.encode(JSON.stringify(value) ?? "").length;

/** Room kept free in every shortened array or object for its `…[+N members]`. */
const markerBytes = 40;

const leftOut = (count: number, tally: Tally): string => {
  tally.truncated += 1;
  return `…[+${count} members]`;
};

/** Maps an array and returns the very same array when no item became another. */
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

/** An object of these entries, `__proto__` included; a name met twice (both were cut alike) gets a `…` more. */
export const uniqueEntries = (entries: readonly (readonly [string, unknown])[]): Record<string, unknown> => {
  const unique = new Map<string, unknown>();
  for (const [name, value] of entries) {
    let free = name;
    while (unique.has(free)) free += "…";
    unique.set(free, value);
  }
  return Object.fromEntries(unique);
};

/** One value being walked; `bytesAtMost` grows to a bound of its JSON, so that few values have to be measured. */
interface Walk {
  readonly caps: JsonCaps;
  readonly tally: Tally;
  bytesAtMost: number;
}

/** No number or word of JSON, and no bracket with its comma, is longer. */
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

/** The leading part of a value that fits in `bytes`; undefined when not even a marker fits. */
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

/**
 * A third-party JSON value made safe to show: every key and string neutralised, levels below `maxDepth` and
 * members beyond `maxBytes` replaced by a visible `…[+N members]`. The same value when nothing had to change.
 */
export const showJson = (value: unknown, caps: JsonCaps, tally: Tally): unknown => {
  const walk: Walk = { caps, tally, bytesAtMost: 0 };
  const shown = neutralised(value, 1, walk);
  if (walk.bytesAtMost <= caps.maxBytes) return shown;
  return shortened(shown, caps.maxBytes, tally) ?? leftOut(1, tally);
};
