import { expect, it } from "vitest";
import { serverKinds } from "../../support/slow-histories.ts";
import { falseEpisodes, slowdownRates, type SlowRates } from "../../support/slow-rates.ts";

it("[OUR-HLT-13] since is within 10 minutes of the truth in 85 % of the slowdowns found, also a day later", () => {
  const rates = serverKinds.map(({ dayToDay }, kind) => slowdownRates(dayToDay, 2, 10, 1 + kind * 10));
  const sum = (pick: (rates: SlowRates) => number): number =>
    rates.reduce((sum, rates) => sum + pick(rates), 0);
  const found = sum(({ found }) => found);
  const [right, nextDay] = [sum(({ sinceRight }) => sinceRight), sum(({ rightNextDay }) => rightNextDay)];
  console.log(
    `30 slowdowns x2: ${found} found within 2 h, since right in ${right}, a day later in ${nextDay}`,
  );
  expect(found).toBeGreaterThanOrEqual(25);
  expect(right / found).toBeGreaterThanOrEqual(0.85);
  expect(nextDay / found).toBeGreaterThanOrEqual(0.85);
});

it("[OUR-HLT-14] a server whose days differ by 5 % is called slower less than once in 30 days", () => {
  const [{ dayToDay }] = serverKinds;
  const rate = falseEpisodes(dayToDay, 30);
  console.log(`false episodes: ${rate.toFixed(2)} per server and 30 days`);
  expect(rate).toBeLessThan(1);
});
