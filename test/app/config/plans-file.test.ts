import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { defaultPlans, limitNames, planNames } from "../../../src/core/access/plan.ts";
import { readPlansFile } from "../../../src/app/config/plans-file.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-plans-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = join(folder, "plans.json");
const fault = (text: string): string => {
  writeFileSync(file, text);
  try {
    readPlansFile(file);
    return "taken";
  } catch (error) {
    return (error as Error).message.replace(
      `TICKMARK_PLANS takes the path of a JSON file that maps plans to limits: ${file}: `,
      "",
    );
  }
};

it.each([
  ['{"pro":{"daily_call":5}}', "pro.daily_call is no limit, the nearest name is daily_calls."],
  ['{"gold":{}}', "gold is no plan, the plans are free, pro, hosting, enterprise."],
  ['{"prop":{}}', "prop is no plan, the nearest name is pro."],
  ['{"pro":{"tokens":"5"}}', "pro.tokens takes a whole number from 0 to 1000000000."],
  [
    '{"pro":{"tokens":-1,"profiles":1.5}}',
    "pro.tokens takes a whole number from 0 to 1000000000; pro.profiles takes a whole number from 0 to 1000000000.",
  ],
  ['{"free":[]}', "free takes an object in braces."],
  ["[]", "the whole takes an object in braces."],
  ['{\n  "pro": {"tokens": 1,}\n}', "it is no JSON, from line 2, column 23 on."],
  ['{"pro":', "it is no JSON, from line 1, column 8 on."],
  ["", "it is no JSON, from line 1, column 1 on."],
])("[OUR-CFG-08] %s: %s", (text, mistake) => {
  expect(fault(text)).toBe(mistake);
});

it("[OUR-CFG-08] a file that cannot be read is named with the reason", () => {
  expect(() => readPlansFile(join(folder, "none.json"))).toThrow(/none\.json: there is no such file\.$/);
  expect(() => readPlansFile(folder)).toThrow(/: it cannot be read \(EISDIR\)\.$/);
});

it("[OUR-CFG-08] the example is taken, and the page beside it has every limit with its defaults", () => {
  const example = readPlansFile("resources/operations/plans.json");
  expect(example.pro).toEqual({ ...defaultPlans.pro, daily_calls: 5000, monitored_servers: 10 });
  const page = readFileSync("resources/operations/plans.md", "utf8");
  const rows = [...page.matchAll(/^\| `(\w+)` \| ([^|]+) \| (.*) \|$/gm)];
  expect(rows.map(([, name]) => name)).toEqual(limitNames);
  for (const [, name = "", unit = "", cells = ""] of rows) {
    expect(unit.trim()).not.toBe("");
    const written = cells.split("|").map(Number);
    expect(written, name).toEqual(
      planNames.map((plan) => defaultPlans[plan][name as (typeof limitNames)[number]]),
    );
  }
});
