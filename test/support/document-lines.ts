/** JSON whose members at that depth each stand on one line, and everything above them is indented. */
function lines(value: unknown, depth: number, indent: string): string {
  if (depth === 0 || typeof value !== "object" || value === null || Array.isArray(value))
    return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${indent} ${JSON.stringify(name)}: ${lines(member, depth - 1, `${indent} `)}`,
  );
  return members.length === 0 ? "{}" : `{\n${members.join(",\n")}\n${indent}}`;
}

/** An OpenAPI document with one operation, and one component, a line: a change of one is a change of one line. */
export const documentLines = (document: Readonly<Record<string, unknown>>): string =>
  `${lines(document, 3, "")}\n`;
