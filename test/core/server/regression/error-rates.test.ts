import { expect, it } from "vitest";
import { read } from "../../../gates/sources.ts";
import { isLong } from "../../../support/long.ts";
import { beforeAfterRates, falseAlarmRate, foundRates } from "../../../support/verdict-rates.ts";

/** Noise of one point, as the promise states it, and as many points as a daily schedule leaves in the window. */
const daily = { cv: 0.05 };
const points = 90;
const trials = isLong ? 200 : 24;
const patience = 120_000;

const percent = (rate: number): string => `${(rate * 100).toFixed(2)} %`;

it(
  "[OUR-REG-13] a server that did not change is called slower within 90 daily points in 1 % of cases at most",
  () => {
    const alarms = falseAlarmRate(daily, points, trials);
    console.log(`false alarms in 90 daily points at CV 5 %: ${percent(alarms)} of ${trials} (seeded)`);
    expect(alarms).toBeLessThanOrEqual(0.01);
    const told = /points with a noise of 5 % and no change,\s(\d\.\d) % raised/.exec(
      read("resources/guides/verdicts.md"),
    );
    expect(Number(told?.[1])).toBeLessThanOrEqual(1);
    expect(Math.abs(Number(told?.[1]) - alarms * 100)).toBeLessThan(1.5);
  },
  patience,
);

it(
  "[OUR-REG-13] a drop of 15 % is found within ten daily points in 99 % of cases or more",
  () => {
    const { after5, after10 } = foundRates(daily, points, 0.85, trials);
    console.log(
      `-15 % at CV 5 %: found after 5 points ${percent(after5)}, after 10 ${percent(after10)} of ${trials}`,
    );
    expect(after10).toBeGreaterThanOrEqual(0.99);
  },
  patience,
);

it("[OUR-BEF-18] three runs a side at CV 3 %: a change is invented in 1 % of cases at most, +20 % found in 99 %", () => {
  const sides = isLong ? 20_000 : 2_000;
  const same = beforeAfterRates({ cv: 0.03 }, 1, sides);
  const faster = beforeAfterRates({ cv: 0.03 }, 1.2, sides);
  console.log(
    `before/after at CV 3 %: invented ${percent(same.wrong)}, +20 % found ${percent(faster.improved)} of ${sides} (seeded)`,
  );
  expect(same.wrong).toBeLessThanOrEqual(0.01);
  expect(faster.improved).toBeGreaterThanOrEqual(0.99);
});
