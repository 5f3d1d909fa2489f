import { expect, it } from "vitest";
import { VerdictCaveat } from "../../src/core/report/before-after/caveats.ts";
import { RefusalCode } from "../../src/core/report/before-after/refusals.ts";
import {
  beforeAfterRuleVersion,
  beforeAfterThresholds,
} from "../../src/core/report/before-after/thresholds.ts";
import { regressionRuleVersion, regressionThresholds } from "../../src/core/server/regression/thresholds.ts";
import { RegressionVerdict } from "../../src/core/server/regression/verdict.ts";
import { isLong } from "../support/long.ts";
import { beforeAfterTable, regressionTable, type RateRow } from "../support/verdict-tables.ts";
import { read } from "./sources.ts";

const guide = read("resources/guides/verdicts.md");

/** The words explained in each list of the guide. */
const lists = guide
  .split(/\n\n(?=- \*\*)/)
  .slice(1)
  .map((list) => [...(list.split("\n\n")[0]?.matchAll(/^- \*\*(\w+)\*\*/gm) ?? [])].map(([, word]) => word));

/** The rows of the guide's tables, by their first cell. */
const rows = new Map(
  [...guide.matchAll(/^\| (.+?) \| (.+) \|$/gm)].map(([, label = "", cells = ""]) => [
    label,
    cells.split(" | ").map(Number),
  ]),
);

it("[OUR-BEF-18] [OUR-REG-13] the guide explains every refusal, caveat and reason, and no other", () => {
  expect(lists).toEqual([
    RefusalCode.options,
    VerdictCaveat.shape.code.options,
    RegressionVerdict.shape.reason.unwrap().options,
  ]);
});

it("[OUR-BEF-18] [OUR-REG-13] the guide's thresholds and versions are the code's", () => {
  const published = [beforeAfterThresholds, regressionThresholds].flatMap(Object.entries);
  const told = [...rows].filter(([label]) => label.startsWith("`"));
  expect(told).toEqual(published.map(([key, value]) => [`\`${key}\``, [value]]));
  expect(guide).toContain(`Version ${beforeAfterRuleVersion} of both rules`);
  expect(regressionRuleVersion).toBe(beforeAfterRuleVersion);
});

/** Few trials of its own against the guide's many: four times the error of sampling, and a point for rare cases. */
function expectNear({ label, rates }: RateRow, trials: number): void {
  const told = rows.get(label);
  for (const [index, rate] of rates(trials).entries()) {
    const percent = told?.[index] ?? Number.NaN;
    const share = Math.min(0.99, Math.max(0.01, percent / 100));
    const tolerance = 400 * Math.sqrt((share * (1 - share)) / trials + (share * (1 - share)) / 300) + 1;
    expect(Math.abs(rate * 100 - percent), `${label}, column ${index + 1}`).toBeLessThan(tolerance);
  }
}

it("[OUR-BEF-18] the guide's error rates are those of the rule as it stands", () => {
  for (const row of beforeAfterTable) expectNear(row, isLong ? 1000 : 400);
});

it("[OUR-REG-13] the guide has a row for every simulated rate, and the cheap ones are those of the rule", () => {
  expect(regressionTable.filter(({ label }) => !rows.has(label))).toEqual([]);
  for (const row of regressionTable) if (row.cost < 100) expectNear(row, isLong ? 100 : 40);
});
