import * as fc from "fast-check";
import { expect, it } from "vitest";
import { hasMoreValues } from "../../../src/contract/endpoint/json-values.ts";
import { randomCases } from "../../support/long.ts";

/** How often a value counts, an empty container twice, with all that it holds. */
function countOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  const children: unknown[] = Object.values(value);
  return children.length === 0 ? 2 : children.reduce<number>((sum, child) => sum + countOf(child), 1);
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

it("[OUR-HTTP-17] counts the values of any JSON, however it is spaced, and no mark that stands in a text", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 0, max: 3 }), (value, indent) => {
      const bytes = bytesOf(JSON.stringify(value, null, indent));
      const count = countOf(JSON.parse(JSON.stringify(value)));
      expect(hasMoreValues(bytes, count)).toBe(false);
      if (count > 1) expect(hasMoreValues(bytes, count - 1)).toBe(true);
    }),
    { numRuns: randomCases(500) },
  );
  const marks = bytesOf('{"\\",[{\\\\":"[,{\\"",",,":["}",{}]}');
  expect([hasMoreValues(marks, 6), hasMoreValues(marks, 5)]).toEqual([false, true]);
});
