import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide } from "../../../../src/core/server/regression/decision.ts";
import { dropHolds, onsetOf, walk } from "../../../../src/core/server/regression/walk.ts";
import { dice, normals } from "../../../support/dice.ts";
import { daily, day, judged, now, steady, word } from "./runs.ts";

const dropped = [...steady, 4400, 4410, 4395];
const confirmed = [...dropped, 4402];
const back = [...confirmed, 4990, 5001, 4999, 5003, 4996];

const decided = (values: readonly number[]) => decide(values.map((value, at) => ({ value, at })));

describe("the golden sequence, one run a day", () => {
  it.each<[string, readonly number[], number | null]>([
    ["not_enough_runs", steady.slice(0, 9), null],
    ["stable", steady, 0.02],
    ["awaiting_confirmation", dropped, null],
    ["regression", confirmed, -11.99],
    ["regression", [...confirmed, 4990, 5001], -11.89],
    ["stable", back.slice(0, -2), -0.03],
    ["stable", back, -0.04],
    ["drop_not_excluded", [...steady.slice(0, 9), 3600], null],
    ["stable", [...steady, 4800, 4805, 4795, 4802, 4801], -4],
    ["too_noisy", [5000, 6200, 4100, 5900, 4300, 6100, 4000, 5600, 4700, 6300, 4200, 5800], null],
  ])("[SRV-24] [OUR-REG-05] [OUR-REG-06] [OUR-REG-09] %s", (expected, totals, change) => {
    const verdict = judged(daily(totals));
    expect(word(verdict)).toBe(expected);
    expect(verdict.change_percent).toBe(change);
    expect(verdict.verdict === "undecidable").toBe(verdict.reason !== null);
  });

  it("[OUR-REG-07] the regression began on the eleventh day, with that day's first report", () => {
    const runs = daily(confirmed);
    expect(judged(runs)).toMatchObject({
      since: new Date(Date.UTC(2026, 10, 20) - 3 * day).toISOString(),
      first_report_id: "run 011",
      baseline: { points: 10, median: 5000.5 },
      recent: { points: 4, median: 4401 },
    });
  });
});

describe("a drop holds", () => {
  const eight = [1000, 1001, 999, 1002, 998, 1000, 1001, 999];

  it.each<[boolean, string, readonly number[]]>([
    [false, "on seven points", [...eight.slice(0, 4), 800, 800, 800]],
    [true, "on eight, the three below all others", [...eight.slice(0, 5), 800, 800, 800]],
    [false, "on eight, one of the earlier as low", [...eight.slice(0, 4), 790, 800, 800, 800]],
    [true, "beside an earlier low point, with eight before", [...eight, 790, 800, 800, 800]],
    [true, "at the band", [...eight, 950, 950, 950]],
    [false, "above the band", [...eight, 951, 940, 940]],
    [false, "within the noise", [900, 1100, 950, 1050, 1000, 920, 1080, 1000, 850, 850, 850]],
  ])("[OUR-REG-05] suddenly: %s %s", (holds, _, values) => {
    expect(dropHolds(values)).toBe(holds);
  });

  it.each<[boolean, string, readonly number[]]>([
    [true, "five lower ones after eight", [...eight, 930, 960, 925, 935, 940]],
    [false, "four points above the band", [...eight, 955, 960, 955, 960, 930]],
    [true, "five after five, fully apart", [...eight.slice(0, 5), 930, 960, 925, 935, 940]],
    [false, "five after five, one of them in between", [...eight.slice(0, 5), 930, 998.5, 925, 935, 940]],
  ])("[OUR-REG-05] slowly: %s for %s", (holds, _, values) => {
    expect(dropHolds(values)).toBe(holds);
  });

  it("[OUR-REG-05] whatever the scale", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 800, max: 1100 }), { minLength: 3, maxLength: 30 }),
        fc.integer({ min: 2, max: 50 }),
        (values, factor) => {
          expect(dropHolds(values.map((value) => value * factor))).toBe(dropHolds(values));
        },
      ),
    );
  });
});

describe("the walk", () => {
  const points = (values: readonly number[]) => values.map((value, at) => ({ value, at }));

  it("[OUR-REG-06] the baseline stays as it was before the drop, however long that lasts", () => {
    const walked = walk(points([...steady, ...Array.from({ length: 60 }, () => 4400)]));
    expect(walked).toMatchObject({ state: "regression" });
    if (walked.state === "regression") expect([walked.baseline.length, walked.drop.length]).toEqual([10, 60]);
  });

  it("[OUR-REG-06] it ends with three points above the band in a row, not with two", () => {
    const states = [4800, 4800, 4600, 4800, 4800, 4800].map(
      (_, index, all) => walk(points([...confirmed, ...all.slice(0, index + 1)])).state,
    );
    expect(states).toEqual([...Array.from({ length: 5 }, () => "regression"), "normal"]);
  });

  it("[OUR-REG-06] what lay low in between is in no later baseline", () => {
    const walked = walk(points(back));
    if (walked.state !== "normal") throw new Error("still a regression");
    expect(walked.pool.map(({ at }) => at)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 14, 15, 16, 17, 18]);
    // Dropping once more is seen against the old level.
    expect(word(judged(daily([...back, 4400, 4410, 4395, 4402])))).toBe("regression");
  });

  it("[OUR-REG-10] an improvement is no regression, and is the norm from then on", () => {
    const better = [...steady, ...steady.map((value) => value * 1.3)];
    for (let length = 10; length <= better.length; length += 1)
      expect(decided(better.slice(0, length)).verdict, `after ${length}`).not.toBe("regression");
    expect(decided([...better, ...better.slice(10), 4900, 4910, 4895, 4902]).verdict).toBe("regression");
  });

  it("[OUR-REG-10] rising points never make a regression", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 500, max: 5000 }), { minLength: 8, maxLength: 40 }),
        (values) => {
          const rising = values.toSorted((a, b) => a - b);
          expect(walk(points(rising))).toMatchObject({ state: "normal", holdsNow: false });
        },
      ),
    );
  });
});

describe("what is said when nothing holds", () => {
  it("[OUR-REG-08] eight and nine points can give a regression, its confirmation or nothing", () => {
    const five = steady.slice(0, 5);
    expect(word(judged(daily([...five, 4400, 4410, 4395])))).toBe("awaiting_confirmation");
    expect(word(judged(daily([...five, 4405, 4404, 4403, 4402])))).toBe("regression");
    expect(word(judged(daily(steady.slice(0, 8))))).toBe("not_enough_runs");
    expect(word(judged(daily([])))).toBe("no_runs");
  });

  it("[OUR-REG-08] a regression with fewer than five points left before it is undecidable", () => {
    const four = [...steady.slice(0, 4), 4405, 4404, 4403, 4402, 4401];
    expect(decided(four)).toMatchObject({ verdict: "undecidable", reason: "not_enough_runs", ratio: null });
  });

  it("[OUR-REG-08] an old drop becomes the norm once what was before it has left the window", () => {
    const low = Array.from({ length: 85 }, (_, index) => 4400 + (index % 5));
    expect(decided([...steady.slice(0, 5), ...low]).verdict).toBe("regression");
    expect(decided([...steady.slice(0, 2), ...low])).toMatchObject({ verdict: "stable" });
  });

  it("[OUR-REG-09] a decline too slow for any point to stand out is a trend", () => {
    const normal = normals(dice(5));
    const values = Array.from({ length: 60 }, (_, at) => 5000 * (1 - 0.0016 * at) * (1 + 0.025 * normal()));
    expect(decided(values)).toMatchObject({ verdict: "undecidable", reason: "trend_down" });
  });

  it("[SRV-24] [OUR-REG-09] stable is said only where a drop of a tenth is excluded", () => {
    const normal = normals(dice(9));
    for (let trial = 0; trial < 300; trial += 1) {
      const level = 1 - 0.02 * (trial % 8);
      const values = Array.from(
        { length: 30 },
        (_, at) => 5000 * (at < 24 ? 1 : level) * (1 + 0.05 * normal()),
      );
      const { verdict, ratio, lowerBound } = decided(values);
      if (verdict !== "stable") continue;
      expect(ratio).toBeGreaterThan(0.95);
      expect(lowerBound).toBeGreaterThan(0.9);
    }
  });

  it("[OUR-REG-07] a drop's beginning is found between higher and lower points", () => {
    expect(onsetOf([...steady, 4400, 4410, 4395, 4402])).toBe(10);
    expect(onsetOf([...steady, 4400, 4995, 5003, 4410, 4395, 4402])).toBe(13);
    expect(onsetOf([...steady, 4400, 4410, 4995, 4395, 4402, 4399])).toBe(10);
  });

  it("[OUR-REG-04] after 21 days without a run nothing is said of now", () => {
    const runs = daily(confirmed);
    expect(word(judged(runs, now + 21 * day))).toBe("regression");
    expect(judged(runs, now + 21 * day + 1)).toMatchObject({
      verdict: "undecidable",
      reason: "stale",
      change_percent: null,
      since: null,
      first_report_id: null,
    });
  });
});
