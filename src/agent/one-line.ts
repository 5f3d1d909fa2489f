/** The longest text of others in a line of ours. */
const longest = 300;

/** What went wrong, as a line of a log may say it: no line breaks, nothing a terminal would obey. */
export function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  // oxlint-disable-next-line no-control-regex
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return plain.length > longest ? `${plain.slice(0, longest)}…` : plain;
}
