import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, it } from "vitest";
import { sharedFile } from "../support/shared-data.ts";
import { filesBelow, read } from "./sources.ts";

const ruleLine = /^- \*\*([A-Z]+(?:-[A-Z]+)?-\d{2,3})\*\* /gm;
const rulesOf = (page: string): string[] => [...read(page).matchAll(ruleLine)].map(([, id]) => id ?? "");
const pages = filesBelow(["src"], "SPEC.md");
const rules = pages.flatMap(rulesOf);
const titles = filesBelow(["test"], ".test.ts").flatMap((file) =>
  [...read(file).matchAll(/\[([A-Z]+(?:-[A-Z]+)?-\d{2,3})\]/g)].map(([, id]) => id ?? ""),
);

it("the index names every page of rules and how many it has", () => {
  const index = "src/core/SPEC.md";
  const rows = [...read(index).matchAll(/^\| .+ \| \[`(.+)`\]\((.+)\) \| (\d+) \|$/gm)];
  const named = rows.map(([, page = "", link = "", count]) => {
    expect(posix.join("src/core", link)).toBe(page);
    return [page, Number(count)];
  });
  const found = pages.filter((page) => page !== index).map((page) => [page, rulesOf(page).length]);
  expect(Object.fromEntries(named)).toEqual(Object.fromEntries(found));
});

it("every rule has one line", () => {
  expect(rules.length).toBeGreaterThan(150);
  expect(rules.filter((id, index) => rules.indexOf(id) !== index)).toEqual([]);
});

it("every rule is cited by a test", () => {
  const cited = new Set(titles);
  expect(rules.filter((id) => !cited.has(id))).toEqual([]);
});

it("every id a test cites is a rule", () => {
  const known = new Set(rules);
  expect([...new Set(titles.filter((id) => !known.has(id)))]).toEqual([]);
  console.log(`${rules.length} rules, ${titles.length} citations`);
});

const requirements = sharedFile("spec/requirements.md");

it.skipIf(requirements === null)("every numbered requirement is a rule and cited by a test", () => {
  const numbered = [...readFileSync(requirements ?? "", "utf8").matchAll(ruleLine)].map(([, id]) => id ?? "");
  // OPN lists what the documentation leaves open: our rules there are numbered OUR-….
  const required = numbered.filter((id) => !id.startsWith("OPN-"));
  expect(required.length).toBeGreaterThan(380);
  const [known, cited] = [new Set(rules), new Set(titles)];
  expect(required.filter((id) => !known.has(id))).toEqual([]);
  expect(required.filter((id) => !cited.has(id))).toEqual([]);
  console.log(`${required.length} requirements, each a rule and cited`);
});
