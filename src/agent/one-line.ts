/** Characters; a longer text is cut. */
const longest = 300;

/** The error's message on one line, without control characters. */
export function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  // oxlint-disable-next-line no-control-regex
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return plain.length > longest ? `${plain.slice(0, longest)}…` : plain;
}
