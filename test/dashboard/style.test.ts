import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { builtFile } from "../../src/program/program-files.ts";

it("the style sheet closes what it opens, and stays below 20 kB", () => {
  const sheet = readFileSync("src/dashboard/assets/style.css", "utf8");
  let depth = 0;
  for (const [brace] of sheet.replaceAll(/\/\*[^*]*\*\//g, "").matchAll(/[{}]/g)) {
    depth += brace === "{" ? 1 : -1;
    // Rules stand in a media query at most; one that is not closed swallows the next.
    expect([0, 1, 2]).toContain(depth);
  }
  expect(depth).toBe(0);
  expect(readFileSync(builtFile("browser/style.css")).length).toBeLessThan(20_000);
});
