import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("the style sheet closes what it opens, and stays below 20 kB", () => {
  const sheet = readFileSync("src/dashboard/assets/style.css", "utf8");
  const depths = [...sheet.replaceAll(/\/\*.*?\*\//gs, "").matchAll(/[{}]/g)].reduce<number[]>(
    (all, [brace]) => [...all, (all.at(-1) ?? 0) + (brace === "{" ? 1 : -1)],
    [],
  );
  // Rules stand in a media query at most.
  expect([Math.min(...depths), Math.max(...depths), depths.at(-1)]).toEqual([0, 2, 0]);
  expect(sheet.length).toBeLessThan(20_000);
});
