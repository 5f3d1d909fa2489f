/** The longest list or object on one line, characters. */
const lineLimit = 96;
/** Shown entries of a long list of objects. The example in the OpenAPI document has all of them. */
const shownEntries = 2;

/** Readable JSON: short lists and objects are on one line, others have a line for each part. */
export function exampleText(value: unknown, indent = ""): string {
  const short = oneLine(value);
  if (typeof value !== "object" || value === null || indent.length + short.length <= lineLimit) return short;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const parts = Array.isArray(value)
    ? entriesOf(value).map((each) => exampleText(each, inner))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${exampleText(each, inner)}`);
  const more = Array.isArray(value) ? value.length - parts.length : 0;
  const last = more > 0 ? `,\n${inner}… ${more} more` : "";
  return `${open}\n${parts.map((part) => inner + part).join(",\n")}${last}\n${indent}${close}`;
}

const entriesOf = (list: readonly unknown[]): readonly unknown[] =>
  list.length > shownEntries + 1 && list.every((each) => typeof each === "object")
    ? list.slice(0, shownEntries)
    : list;

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${oneLine(each)}`);
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}
