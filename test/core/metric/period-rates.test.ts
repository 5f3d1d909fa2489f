import { describe, expect, it } from "vitest";
import { isLong } from "../../support/long.ts";
import { periodRates, shortRates, type ServerNoise } from "../../support/period-rates.ts";

/** Trials of the usual kind of servers, and of another one. */
const [many, few] = isLong ? [100, 100] : [60, 34];

const percent = (share = 0): number => Math.round(share * 1000) / 10;

/** How often a difference is said of a server that did not change, percent. */
const falseRate = (noise: ServerNoise, days: number, trials: number): number => {
  const { better = 0, worse = 0 } = periodRates(noise, days, 1, trials);
  return percent(better + worse);
};

describe("how often the rule errs, with a fixed seed", () => {
  it("[OUR-CPR-11] of days that have nothing in common one comparison in a hundred is wrong", () => {
    for (const [day, days, trials] of [
      [0.05, 7, few],
      [0.1, 7, many],
      [0.2, 7, few],
      [0.1, 14, few],
    ] as const) {
      const rate = falseRate({ day, correlation: 0 }, days, trials);
      console.log(`${days} + ${days} days that differ by ${day * 100} %: ${rate} % of ${trials}`);
      // 1 % and what so few trials may be off.
      expect(rate, `${days} days, ${day}`).toBeLessThanOrEqual(3);
    }
  });

  it("[OUR-CPR-11] half as many players again change that little, and days that resemble the day before make it one in six", () => {
    const busier = falseRate({ day: 0.05, correlation: 0, players: 1.5 }, 14, few);
    const alike = falseRate({ day: 0.1, correlation: 0.5 }, 14, many);
    console.log(`half as many players again: ${busier} %, days that resemble the day before: ${alike} %`);
    expect(busier).toBeLessThanOrEqual(5);
    expect(alike).toBeLessThanOrEqual(20);
  });

  it("[OUR-CPR-11] finds ticks that take half as long again, and with time a fifth as long again", () => {
    const found = (day: number, days: number, factor: number) => {
      const { worse, better } = periodRates({ day, correlation: 0 }, days, factor, 40);
      expect(better).toBeLessThanOrEqual(0.01);
      return percent(worse);
    };
    const rates = [found(0.1, 7, 1.5), found(0.1, 14, 1.2), found(0.05, 14, 1.2)];
    console.log(
      `found: half as long again in 7 days ${rates[0]} %, a fifth in 14 ${rates[1]} %, in calm ones ${rates[2]} %`,
    );
    expect(rates[0]).toBeGreaterThanOrEqual(95);
    expect(rates[1]).toBeGreaterThanOrEqual(85);
    expect(rates[2]).toBeGreaterThanOrEqual(98);
  });
});

describe("how often short periods err, with a fixed seed", () => {
  const noise = { day: 0.1, correlation: 0 };
  const trials = isLong ? 400 : 40;

  it.each([
    [1 / 12, 14],
    [1, 14],
    [1, 0],
    [2, 0],
  ] as const)(
    "[OUR-CPR-91] %f days a side, with %i days before, are seldom wrong, and a day finds what is much slower",
    (days, historyDays) => {
      const of = (factor: number) => shortRates(noise, { days, historyDays, factor }, trials);
      const rates = { much: of(1.6), little: of(1.1), none: of(1), faster: of(0.8) };
      console.log(`${days} days a side, ${historyDays} before: ${JSON.stringify(rates)}`);
      for (const { wrong } of Object.values(rates)) expect(wrong).toBeLessThanOrEqual(0.05);
      if (days >= 1) expect(rates.much.worse).toBeGreaterThanOrEqual(0.5);
    },
  );
});
