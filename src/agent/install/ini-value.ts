/** The value of a key in a section of an INI file; null if there is none. Names are compared without case. */
export function iniValue(text: string, section: string, key: string): string | null {
  let isIn = false;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const trimmed = line.trim();
    if (trimmed.startsWith("[")) isIn = trimmed.toLowerCase() === `[${section}]`.toLowerCase();
    const equals = trimmed.indexOf("=");
    if (!isIn || equals < 0 || trimmed.startsWith(";")) continue;
    if (trimmed.slice(0, equals).trim().toLowerCase() === key.toLowerCase())
      return trimmed.slice(equals + 1).trim();
  }
  return null;
}
