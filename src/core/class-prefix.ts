interface Step<Value> {
  readonly next: Map<string, Step<Value>>;
  value: Value | null;
}

/** Separates packages, nested classes and the hidden classes of lambdas. */
const separator = /[./$]/;

const step = <Value>(): Step<Value> => ({ next: new Map(), value: null });

/** Finds the longest prefix that ends at a separator of the name; its time does not grow with the table. */
export function prefixTable<Value>(
  rows: Iterable<readonly [prefix: string, value: Value]>,
): (name: string) => Value | null {
  const root = step<Value>();
  for (const [prefix, value] of rows) {
    let at = root;
    for (const part of prefix.split(separator)) {
      const next = at.next.get(part) ?? step<Value>();
      at.next.set(part, next);
      at = next;
    }
    at.value = value;
  }
  return (name) => {
    let at = root;
    let found: Value | null = null;
    let start = 0;
    while (start <= name.length) {
      let end = start;
      while (end < name.length && !isSeparator(name.charCodeAt(end))) end += 1;
      const next = at.next.get(name.slice(start, end));
      if (next === undefined) break;
      found = next.value ?? found;
      at = next;
      start = end + 1;
    }
    return found;
  };
}

/** `.`, `/` and `$`. */
const isSeparator = (unit: number): boolean => unit === 46 || unit === 47 || unit === 36;
