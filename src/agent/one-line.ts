/** The longest text of others in a line of ours. */
const longest = 300;

/** The message of an error as one line of a log: without line breaks and control characters. */
export function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  // oxlint-disable-next-line no-control-regex
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return plain.length > longest ? `${plain.slice(0, longest)}…` : plain;
}
