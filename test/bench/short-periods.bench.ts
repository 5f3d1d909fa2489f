import { expect, it } from "vitest";
import { shortRates } from "../support/period-rates.ts";

const trials = 300;
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** Shares are of all trials; wrong: the other direction, or any where nothing changed. A cell of 14 days takes 30 s. */
it.each([14, 0])(
  `what two periods say and how often they err with %i days before, ${trials} trials a cell, days that differ by 10 %%`,
  { timeout: 3_600_000 },
  (historyDays) => {
    for (const days of [1 / 12, 1, 2, 5, 14])
      for (const factor of [1.6, 1.1, 1, 0.8]) {
        const noise = { day: 0.1, correlation: 0 };
        const rates = shortRates(noise, { days, historyDays, factor }, trials);
        const { worse, better, noDifference, cannotTell, wrong } = rates;
        console.log(
          `${historyDays} days before, ${days < 1 ? `${days * 24} h` : `${days} d`} a side, x${factor}: ` +
            `worse ${percent(worse)}, better ${percent(better)}, no difference ${percent(noDifference)}, ` +
            `cannot tell ${percent(cannotTell)}; wrong ${percent(wrong)}`,
        );
        expect(wrong).toBeLessThanOrEqual(0.05);
      }
  },
);

it(`the same of servers whose days differ by 5 and 20 %, and of days that resemble the day before`, () => {
  for (const noise of [
    { day: 0.05, correlation: 0 },
    { day: 0.2, correlation: 0 },
    { day: 0.1, correlation: 0.5 },
  ])
    for (const historyDays of [14, 0])
      for (const factor of [1.6, 1]) {
        const { worse, better, cannotTell, wrong } = shortRates(noise, { days: 1, historyDays, factor }, 200);
        console.log(
          `${JSON.stringify(noise)}, ${historyDays} days before, 1 d a side, x${factor}: worse ${percent(worse)}, ` +
            `better ${percent(better)}, cannot tell ${percent(cannotTell)}; wrong ${percent(wrong)}`,
        );
        expect(wrong).toBeLessThan(1);
      }
});
