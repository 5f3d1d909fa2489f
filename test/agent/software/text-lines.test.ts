import fc from "fast-check";
import { expect, it } from "vitest";
import { textLines } from "../../../src/agent/software/text-lines.ts";
import { randomCases } from "../../support/long.ts";

it("[OUR-AGW-05] the lines of any text are those between its line ends", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "\r", "\n", ":"), maxLength: 40 });
  fc.assert(
    fc.property(text, (any) => {
      expect([...textLines(any)]).toEqual(any.split(/\r\n|\n|\r/));
    }),
    { numRuns: randomCases(500) },
  );
});
