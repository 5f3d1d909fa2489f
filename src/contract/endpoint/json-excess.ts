import { randomBytes } from "node:crypto";
import type { JsonLimits } from "../limits/body-limits.ts";

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a] as const;
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d] as const;

/** No field of the API needs deeper or wider JSON. */
export const maxDepth = 32;
export const maxMembers = 1000;

export type JsonExcess = "values" | "names" | "members";

/** The fewest bytes of a member with a name of its own: `"a":1,`. */
const memberBytes = 6;

/**
 * Finds an excess before parsing; null if there is none. Values are one for the document, each comma and each
 * container (an empty one counts twice), down to `maxDepth`. Members are counted by object, and different
 * names once: a new name costs the parser some 2.5 µs. The counts mean nothing if the text is not JSON; the
 * parser then refuses it.
 */
export function excessIn(
  bytes: Uint8Array,
  { values: mostValues, names: mostNames }: JsonLimits,
): JsonExcess | null {
  // Text too short for any excess is skipped: no byte counts as more than one value.
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
      // Deeper containers are refused by the depth check after parsing.
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

/** The index of the closing quote; past the end if there is none. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

/** Random, so that nobody can craft names whose hashes collide. */
const seed = randomBytes(4).readUInt32LE();
/** Of FNV-1a for 32 bits. */
const prime = 0x01000193;

/** Counts different names by a 32-bit hash; `add` returns whether there are more than `most`. */
function distinctNames(most: number): { add(bytes: Uint8Array, start: number, end: number): boolean } {
  const size = 2 ** Math.ceil(Math.log2(2 * most + 2));
  const hashes = new Uint32Array(size);
  let count = 0;
  return {
    add: (bytes, start, end) => {
      let hash = seed;
      for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), prime);
      // Zero marks a free slot.
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
