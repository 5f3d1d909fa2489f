const [quote, backslash, comma, openBracket, openBrace] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b] as const;

/**
 * Whether JSON text holds more values than that, counted as the parser would meet them: one for the document, one for
 * each comma and one for each container, so that an empty container counts twice. One pass over the bytes, which ends
 * with the first value too many; of text that is no JSON the count means nothing, and the parser refuses it afterwards.
 */
export function hasMoreValues(bytes: Uint8Array, most: number): boolean {
  // No byte counts more than once.
  if (bytes.length < most) return false;
  let values = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) at = endOfString(bytes, at);
    else if (byte === comma || byte === openBracket || byte === openBrace) {
      values += 1;
      if (values > most) return true;
    }
  }
  return false;
}

/** The place of the quote that ends the string which begins there; past the end where none does. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
