import { expect, it } from "vitest";
import { compareWithLetter } from "../core/server/regression/declining.ts";
import { falseAlarmRate, foundRates } from "../support/verdict-rates.ts";
import {
  beforeAfterTable,
  noiseLevels,
  rateLine,
  regressionTable,
  type RateRow,
} from "../support/verdict-tables.ts";

const heading = `| percent of trials, with noise of | ${noiseLevels.map((cv) => `${cv * 100} %`).join(" | ")} |
| --- | ${noiseLevels.map(() => "---").join(" | ")} |`;

/** Prints a table as the guide on verdicts has it: copy it there when the rule changed. */
function print(name: string, rows: readonly RateRow[], trialsOf: (row: RateRow) => number): void {
  const start = performance.now();
  const lines = rows.map((row) => rateLine(row.label, row.rates(trialsOf(row))));
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log([`${name} (${seconds} s)`, heading, ...lines].join("\n"));
  expect(lines).toHaveLength(rows.length);
}

it("how often a verdict on runs before and after a change errs, 20,000 trials a cell", () => {
  print("before/after, three runs a side", beforeAfterTable, () => 20_000);
});

it("how often the regression rule errs, 120 to 1,000 trials a cell", () => {
  print("regression", regressionTable, ({ cost }) =>
    Math.round(Math.min(1000, Math.max(120, 75_000 / cost))),
  );
});

it("how often a server that did not change is called slower, 3,000 trials", () => {
  const rate = falseAlarmRate({ cv: 0.05 }, 90, 3000);
  console.log(`90 daily points at CV 5 %: ${(rate * 100).toFixed(2)} % of 3000 trials`);
  expect(rate).toBeLessThanOrEqual(0.01);
}, 1_800_000);

it("how many points the said beginning of a regression lies from the true one, on average", () => {
  for (const factor of [0.9, 0.8]) {
    const errors = noiseLevels.map((cv) => foundRates({ cv }, 90, factor, 80).onsetError.toFixed(2));
    console.log(`daily, ${Math.round((1 - factor) * 100)} % slower: ${errors.join(" / ")} points`);
  }
});

it("how 13,014 random series are judged, and how many of them otherwise than the text of the rules reads", () => {
  const { met, differing } = compareWithLetter(13_014);
  const classes = [...met].map(([word, count]) => `${word} ${count}`).join(", ");
  console.log(`${classes}; otherwise by the text: ${differing.length}`);
  expect(differing).toEqual([]);
});
