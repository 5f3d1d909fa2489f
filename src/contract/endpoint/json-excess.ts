import { randomBytes } from "node:crypto";
import type { JsonLimits } from "../limits/body-limits.ts";

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a] as const;
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d] as const;

/** Deeper or wider documents are no field of ours: 32 levels, 1,000 members an object. */
export const maxDepth = 32;
export const maxMembers = 1000;

/** What of JSON text is more than a route takes. */
export type JsonExcess = "values" | "names" | "members";

/** The fewest bytes of a member with a name of its own, `"a":1,`. */
const memberBytes = 6;

/**
 * What JSON text has too much of, found in one pass over its bytes before anything is parsed; null where nothing.
 * Values are counted as the parser would meet them: one for the document, one for each comma and one for each container,
 * so that an empty container counts twice; containers deeper than any document may be do not count. Members are counted
 * by object, and names as often as they differ: each costs the parser some 2.5 µs, in one object or in many. Of text that
 * is no JSON the counts mean nothing, and the parser refuses it afterwards.
 */
export function excessIn(
  bytes: Uint8Array,
  { values: mostValues, names: mostNames }: JsonLimits,
): JsonExcess | null {
  // Text that is too short for any excess is not looked at. No byte counts as more than one value.
  if (bytes.length < mostValues && bytes.length < memberBytes * Math.min(mostNames, maxMembers)) return null;
  const names = distinctNames(mostNames);
  const members = new Uint32Array(maxDepth + 1);
  let [values, depth, nameStart, nameEnd] = [1, 0, 0, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) {
      nameStart = at + 1;
      at = nameEnd = endOfString(bytes, at);
    } else if (byte === comma) {
      values += 1;
      if (values > mostValues) return "values";
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      // What is deeper is refused for its depth, once it proved to be JSON; each level of it is in the one above.
      if (depth > maxDepth) continue;
      members[depth] = 0;
      values += 1;
      if (values > mostValues) return "values";
    } else if (byte === closeBrace || byte === closeBracket) {
      if (depth > 0) depth -= 1;
    } else if (byte === colon) {
      if (depth <= maxDepth && (members[depth] = (members[depth] ?? 0) + 1) > maxMembers) return "members";
      if (names.add(bytes, nameStart, nameEnd)) return "names";
    }
  }
  return null;
}

/** The place of the quote that ends the string which begins there; past the end where none does. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

/** Nobody outside can make names that are taken for one another. */
const seed = randomBytes(4).readUInt32LE();
/** Of FNV-1a for 32 bits. */
const prime = 0x01000193;

/** Counts names that differ, by 32 bits of a hash; `add` tells whether there are more than `most`. */
function distinctNames(most: number): { add(bytes: Uint8Array, start: number, end: number): boolean } {
  const size = 2 ** Math.ceil(Math.log2(2 * most + 2));
  const hashes = new Uint32Array(size);
  let count = 0;
  return {
    add: (bytes, start, end) => {
      let hash = seed;
      for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), prime);
      // Zero marks a free place.
      hash = (hash ^ (hash >>> 15)) >>> 0 || 1;
      let place = hash & (size - 1);
      for (let found = hashes[place]; found !== 0; found = hashes[place]) {
        if (found === hash) return false;
        place = (place + 1) & (size - 1);
      }
      hashes[place] = hash;
      count += 1;
      return count > most;
    },
  };
}
