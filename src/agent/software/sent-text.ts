/** Text of a file as the plugin API takes it: without U+0000 and half characters, at most `max` code points. */
export function sentText(text: string, max: number): string {
  // A code point is at most two units, so the rest of a long text need not be looked at.
  const start = text
    .slice(0, max * 2)
    .replaceAll("\0", "")
    .toWellFormed()
    .trim();
  return start.length <= max ? start : [...start].slice(0, max).join("");
}

/** The same; null if nothing is left. */
export const sentTextOrNull = (text: string | null | undefined, max: number): string | null =>
  sentText(text ?? "", max) || null;
