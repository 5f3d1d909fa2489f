import { expect, it } from "vitest";
import { filesBelow, read } from "./sources.ts";

const ruleLine = /^- \*\*([A-Z]+(?:-[A-Z]+)?-\d{2})\*\* /gm;
const rules = [...read("src/core/SPEC.md").matchAll(ruleLine)].map(([, id]) => id ?? "");
const titles = filesBelow(["test"], ".test.ts").flatMap((file) =>
  [...read(file).matchAll(/\[([A-Z]+(?:-[A-Z]+)?-\d{2})\]/g)].map(([, id]) => id ?? ""),
);

it("every rule of SPEC.md has one line", () => {
  expect(rules.length).toBeGreaterThan(150);
  expect(rules.filter((id, index) => rules.indexOf(id) !== index)).toEqual([]);
});

it("every rule of SPEC.md is cited by a test", () => {
  const cited = new Set(titles);
  expect(rules.filter((id) => !cited.has(id))).toEqual([]);
});

it("every id a test cites is a rule of SPEC.md", () => {
  const known = new Set(rules);
  expect([...new Set(titles.filter((id) => !known.has(id)))]).toEqual([]);
  console.log(`${rules.length} rules, ${titles.length} citations`);
});
