/**
 * Well-formed text as a store keeps it: at most `max` code points, the rest cut, and U+FFFD for each U+0000.
 */
export function keptText(text: string, max: number): string {
  // A code point is one or two UTF-16 units, so the first `max` of them stand in twice as many units.
  const cut =
    text.length <= max
      ? text
      : Array.from(text.slice(0, 2 * max))
          .slice(0, max)
          .join("");
  return cut.includes("\u0000") ? cut.replaceAll("\u0000", "\ufffd") : cut;
}

/** The same, null for no text: the wire format does not tell an empty text from an absent one. */
export const keptTextOrNull = (text: string, max: number): string | null =>
  text === "" ? null : keptText(text, max);
