import * as fc from "fast-check";
import { expect, it } from "vitest";
import { excessIn } from "../../../src/contract/endpoint/json-excess.ts";
import type { JsonLimits } from "../../../src/contract/limits/body-limits.ts";
import { randomCases } from "../../support/long.ts";

/** How often a value counts, an empty container twice, with all that it holds. */
function countOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  const children: unknown[] = Object.values(value);
  return children.length === 0 ? 2 : children.reduce<number>((sum, child) => sum + countOf(child), 1);
}

const roomy = 1_000_000;
const excessOf = (bytes: Uint8Array, limits: Partial<JsonLimits>) =>
  excessIn(bytes, { values: roomy, names: roomy, ...limits });

/** The names of all members, each once. */
function namesIn(value: unknown, into = new Set<string>()): Set<string> {
  if (typeof value !== "object" || value === null) return into;
  if (!Array.isArray(value)) for (const name of Object.keys(value)) into.add(name);
  for (const child of Object.values(value)) namesIn(child, into);
  return into;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

it("[OUR-HTTP-17] counts the values of any JSON, however it is spaced, and no mark that stands in a text", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 0, max: 3 }), (value, indent) => {
      const bytes = bytesOf(JSON.stringify(value, null, indent));
      const count = countOf(JSON.parse(JSON.stringify(value)));
      expect(excessOf(bytes, { values: count })).toBeNull();
      if (count > 1) expect(excessOf(bytes, { values: count - 1 })).toBe("values");
      const names = namesIn(JSON.parse(JSON.stringify(value))).size;
      expect(excessOf(bytes, { names })).toBeNull();
      if (names > 1) expect(excessOf(bytes, { names: names - 1 })).toBe("names");
    }),
    { numRuns: randomCases(500) },
  );
  const marks = bytesOf('{"\\",[{\\\\":"[,{\\"",",,":["}",{}]}');
  expect([excessOf(marks, { values: 6 }), excessOf(marks, { values: 5 })]).toEqual([null, "values"]);
});

it("[OUR-HTTP-17] counts the members of each object by itself, those of one name too, and no colon in a text", () => {
  const object = (count: number, name: (at: number) => string) =>
    `{${Array.from({ length: count }, (_, at) => `"${name(at)}": 0`).join()}}`;
  const numbered = object(1000, (at) => `n${at}`);
  expect(excessOf(bytesOf(`[${numbered},${numbered},{"a":${numbered}}]`), {})).toBeNull();
  expect(excessOf(bytesOf(object(1001, (at) => `n${at}`)), {})).toBe("members");
  expect(excessOf(bytesOf(object(1001, () => "same")), {})).toBe("members");
  expect(excessOf(bytesOf(object(1000, () => ':\\\":')), {})).toBeNull();
  const inner = object(600, (at) => `n${at}`);
  const around = object(600, (at) => `m${at}`).slice(0, -1);
  expect(excessOf(bytesOf(`${around},"inner":${inner}}`), {})).toBeNull();
  expect(excessOf(bytesOf(`${around},"inner":${inner},${around.slice(1)}}`), {})).toBe("members");
});

it("[OUR-HTTP-17] tells names that differ from names that are repeated, wherever they stand", () => {
  const objects = (count: number, names: number) =>
    bytesOf(JSON.stringify(Array.from({ length: count }, (_, at) => ({ [`n${at % names}`]: at }))));
  expect(excessOf(objects(20_000, 400), { names: 400 })).toBeNull();
  expect(excessOf(objects(20_000, 401), { names: 400 })).toBe("names");
});
