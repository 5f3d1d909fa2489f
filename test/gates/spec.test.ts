import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { sharedFile } from "../support/shared-data.ts";
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

const requirements = sharedFile("spec/requirements.md");

it.skipIf(requirements === null)(
  "every numbered requirement is a rule of SPEC.md and cited by a test",
  () => {
    const numbered = [...readFileSync(requirements ?? "", "utf8").matchAll(ruleLine)].map(
      ([, id]) => id ?? "",
    );
    // OPN lists what the documentation leaves open: our rules there are numbered OUR-….
    const required = numbered.filter((id) => !id.startsWith("OPN-"));
    expect(required.length).toBeGreaterThan(380);
    const [known, cited] = [new Set(rules), new Set(titles)];
    expect(required.filter((id) => !known.has(id))).toEqual([]);
    expect(required.filter((id) => !cited.has(id))).toEqual([]);
    console.log(`${required.length} requirements, each a rule and cited`);
  },
);
