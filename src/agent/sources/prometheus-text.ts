export interface MetricLine {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

/** More than the exposition of any game server has. */
const mostLines = 100_000;
const mostLabels = 32;

const nameOf = /^[a-zA-Z_:][a-zA-Z0-9_:]{0,199}/;

/** Reads Prometheus' text format, and what OpenMetrics shares with it; other lines are skipped. */
export function readMetrics(text: string, wanted: (name: string) => boolean): MetricLine[] {
  const lines: MetricLine[] = [];
  let from = 0;
  for (let count = 0; from < text.length && count < mostLines; count += 1) {
    const end = text.indexOf("\n", from);
    const until = end < 0 ? text.length : end;
    const first = text.charCodeAt(from);
    // A comment; most bytes of an exposition are comments.
    if (first !== 0x23 && until - from <= 4096) {
      const line = readLine(text.slice(from, until), wanted);
      if (line) lines.push(line);
    }
    from = until + 1;
  }
  return lines;
}

function readLine(line: string, wanted: (name: string) => boolean): MetricLine | null {
  const name = nameOf.exec(line)?.[0];
  if (name === undefined || !wanted(name)) return null;
  const labels = new Map<string, string>();
  let at = name.length;
  if (line[at] === "{") {
    const end = readLabels(line, at + 1, labels);
    if (end === null) return null;
    at = end;
  }
  const [value = ""] = line.slice(at).trim().split(/\s/, 1);
  const number = toNumber(value);
  return number === null ? null : { name, labels, value: number };
}

/** Reads `{a="x",b="y",}` into `labels`; returns where it ends, null if it does not. */
function readLabels(line: string, from: number, labels: Map<string, string>): number | null {
  let at = from;
  for (let count = 0; count <= mostLabels; count += 1) {
    while (line[at] === "," || line[at] === " ") at += 1;
    if (line[at] === "}") return at + 1;
    const equals = line.indexOf('="', at);
    if (equals < 0) return null;
    const label = line.slice(at, equals);
    let value = "";
    for (at = equals + 2; line[at] !== '"'; at += 1) {
      if (at >= line.length) return null;
      if (line[at] === "\\") at += 1;
      value += line[at] ?? "";
    }
    labels.set(label, value);
    at += 1;
  }
  return null;
}

const special = new Map([
  ["+Inf", Infinity],
  ["Inf", Infinity],
  ["-Inf", -Infinity],
]);

/** Null for `NaN`, which means that there is no value. */
function toNumber(text: string): number | null {
  const known = special.get(text);
  if (known !== undefined) return known;
  const isNumber = /^[+-]?\d{1,40}(?:\.\d{0,40})?(?:[eE][+-]?\d{1,3})?$/.test(text);
  return isNumber ? Number(text) : null;
}
