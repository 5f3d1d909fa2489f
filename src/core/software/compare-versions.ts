/**
 * Older first: runs of digits are compared as numbers, the rest by code units. A version with a letter after
 * a hyphen (`1.0-SNAPSHOT`) is older than the same without it; unknown versions come last.
 */
export function compareVersions(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  const [left, right] = [partsOf(one), partsOf(other)];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const [a, b] = [left[at], right[at]];
    if (a === undefined) return isPrerelease(right.slice(at)) ? 1 : -1;
    if (b === undefined) return isPrerelease(left.slice(at)) ? -1 : 1;
    const order = comparePart(a, b);
    if (order !== 0) return order;
  }
  return 0;
}

const partsOf = (version: string): string[] => version.match(/\d+|\D+/g) ?? [];

const isPrerelease = ([first = ""]: readonly string[]): boolean => /^-[a-z]/i.test(first);

/** Numbers may have any length: without leading zeros, the longer one is larger. */
function comparePart(a: string, b: string): number {
  const [left, right] = [a.replace(/^0+(?=\d)/, ""), b.replace(/^0+(?=\d)/, "")];
  const areNumbers = /^\d/.test(left) && /^\d/.test(right);
  if (areNumbers && left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : Number(left > right);
}
