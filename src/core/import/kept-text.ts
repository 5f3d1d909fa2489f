/** Cuts well-formed text to `max` code points, and replaces each U+0000 by U+FFFD. */
export function keptText(text: string, max: number): string {
  // A code point has at most two UTF-16 units, so the first `max` of them are in twice as many units.
  const cut =
    text.length <= max
      ? text
      : Array.from(text.slice(0, 2 * max))
          .slice(0, max)
          .join("");
  return cut.includes("\u0000") ? cut.replaceAll("\u0000", "\ufffd") : cut;
}

/** Null for an empty text: the wire format does not distinguish it from an absent one. */
export const keptTextOrNull = (text: string, max: number): string | null =>
  text === "" ? null : keptText(text, max);
