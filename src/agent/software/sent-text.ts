/** Text as the plugin API takes it: no U+0000, no lone surrogates, at most `max` code points. */
export function sentText(text: string, max: number): string {
  // A code point has at most two units, so the rest of a long text is not needed.
  const start = text
    .slice(0, max * 2)
    .replaceAll("\0", "")
    .toWellFormed()
    .trim();
  return start.length <= max ? start : [...start].slice(0, max).join("");
}

export const sentTextOrNull = (text: string | null | undefined, max: number): string | null =>
  sentText(text ?? "", max) || null;
