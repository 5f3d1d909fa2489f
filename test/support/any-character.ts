import fc from "fast-check";

/** The halves of surrogate pairs are no characters: the first of them, and how many there are. */
const [firstHalf, halves] = [0xd800, 0x800];

/**
 * Every code point that is a character, as the library's own unit "binary". To shorten a text that one builds a table of
 * all 1.1 million, which takes each process a second and 84 MB.
 */
export const anyCharacter = fc.nat({ max: 0x10ffff - halves }).map(
  (index) => String.fromCodePoint(index < firstHalf ? index : index + halves),
  (value) => {
    if (typeof value !== "string" || !value.isWellFormed() || [...value].length !== 1)
      throw new Error("not one character");
    const point = value.codePointAt(0) ?? 0;
    return point < firstHalf ? point : point - halves;
  },
);
