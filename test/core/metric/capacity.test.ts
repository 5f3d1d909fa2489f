import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { capacityOf, rising, type CapacityBand } from "../../../src/core/metric/capacity.ts";
import { compared, dayMs, period, start, type At } from "../../support/period-rates.ts";

/** Ticks that take 10 ms and so many ms for each player; the server fills up to `most` within a day. */
const filling =
  (perPlayer: number, most: number): At =>
  (time) => {
    const players = Math.floor(((time % dayMs) / dayMs) * (most + 1));
    return { players, value: 10 + perPlayer * players + 0.2 * (Math.floor(time / dayMs) % 7) };
  };

const capacityOfServer = (perPlayer: number, most: number, days = 14) =>
  compared(period(start, days, filling(perPlayer, most)), period(start + days * dayMs, days, filling(1, 100)))
    .capacity.base;

describe("capacity", () => {
  it("[OUR-CPR-10] is the number of players at which the median tick takes 40 and 50 ms, with an interval around it", () => {
    const { field, limits, missing } = capacityOfServer(0.6, 100);
    expect([field, missing]).toEqual(["mspt", null]);
    for (const [index, truth] of [49, 65.7].entries()) {
      const { reached, players, low, high } = limits[index] ?? {};
      expect(reached).toBe("measured");
      expect(Math.abs((players ?? 0) - truth)).toBeLessThan(2);
      expect(low).toBeLessThanOrEqual(players ?? 0);
      expect(high).toBeGreaterThanOrEqual(players ?? 0);
    }
  });

  it("[OUR-CPR-10] never lies beyond what was measured", () => {
    const light = capacityOfServer(0.1, 60);
    const most = light.bands.at(-1)?.players ?? 0;
    expect(light.limits).toEqual(
      [40, 50].map((mspt_ms) => ({ mspt_ms, reached: "beyond", players: null, low: most, high: null })),
    );
    const heavy = compared(
      period(start, 7, (time) => ({ players: Math.floor((time % dayMs) / 3_600_000) * 3, value: 60 })),
      period(start + 7 * dayMs, 7, filling(1, 100)),
    ).capacity.base;
    expect(heavy.limits[0]).toEqual({ mspt_ms: 40, reached: "before", players: null, low: null, high: 0 });
  });

  it("[OUR-CPR-10] takes three bands of five days each; with fewer it is a lower bound that says so", () => {
    const needed = { bands_needed: 3, days_needed: 5 };
    expect(capacityOfServer(1, 8).bands.map(({ band }) => band)).toEqual(["0", "1-4", "5-9"]);
    expect(capacityOfServer(1, 8)).toMatchObject({ limits: [{ reached: "beyond" }, {}], missing: null });
    const two = capacityOfServer(1, 4);
    expect(two.missing).toEqual({ code: "too_few_bands", ...needed });
    const most = two.bands.at(-1)?.players;
    expect(two.limits).toEqual(
      [40, 50].map((mspt_ms) => ({ mspt_ms, reached: "at_least", players: most, low: most, high: null })),
    );
    // Four days: no band has five of them, and the bands that were seen still bound it from below.
    const short = capacityOfServer(1, 100, 4);
    expect(short).toMatchObject({ bands: [], missing: { code: "too_few_bands" } });
    const [limit] = short.limits;
    expect(limit).toMatchObject({ mspt_ms: 40, reached: "at_least" });
    expect(limit?.players ?? 0).toBeLessThan(limit?.high ?? 0);
    expect(capacityOfServer(1, 100, 5).missing).toBeNull();
    const silent: At = () => ({ players: 3, value: null });
    const answer = compared(period(start, 7, silent), period(start + 7 * dayMs, 7, silent));
    expect(answer.capacity.target).toEqual({
      field: null,
      limits: [],
      bands: [],
      missing: { code: "ticks_not_measured", ...needed },
    });
  });

  it("[OUR-CPR-10] on a platform whose regions tick apart it is made of the regions' mean", () => {
    const server = filling(0.6, 100);
    const { capacity } = compared(
      period(start, 7, server, "mspt_region_avg"),
      period(start + 7 * dayMs, 7, server, "mspt_region_avg"),
      ["mspt_region_avg"],
    );
    expect(capacity.base.field).toBe("mspt_region_avg");
    expect(capacity.base.limits[0]?.reached).toBe("measured");
  });

  it("[OUR-CPR-10] the line rises, keeps the weighted mean, and stays as it is where it rises already", () => {
    const values = fc.array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 30 })), {
      minLength: 1,
      maxLength: 7,
    });
    fc.assert(
      fc.property(values, (pairs) => {
        const [heights, weights] = [pairs.map(([value]) => value), pairs.map(([, weight]) => weight)];
        const line = rising(heights, weights);
        expect(line).toEqual(line.toSorted((a, b) => a - b));
        const total = (each: readonly number[]) =>
          each.reduce((sum, value, index) => sum + value * (weights[index] ?? 0), 0);
        expect(total(line)).toBeCloseTo(total(heights), 6);
        const sorted = heights.toSorted((a, b) => a - b);
        expect(rising(sorted, weights)).toEqual(sorted);
      }),
      { seed: 7 },
    );
  });

  it("[OUR-CPR-10] the interval holds the number, and opens where its lines end", () => {
    const band = fc.record({
      median: fc.integer({ min: 5, max: 70 }),
      below: fc.integer({ min: 0, max: 10 }),
      above: fc.integer({ min: 0, max: 10 }),
      days: fc.integer({ min: 5, max: 30 }),
    });
    fc.assert(
      fc.property(fc.array(band, { minLength: 4, maxLength: 7 }), (made) => {
        const bands: CapacityBand[] = made.map(({ median, below, above, days }, index) => ({
          band: index,
          days,
          players: index * 10,
          median,
          low: median - below,
          high: median + above,
        }));
        for (const { reached, players, low, high } of capacityOf(bands)) {
          if (reached === "measured") expect(players).not.toBeNull();
          const at = players ?? (reached === "beyond" ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY);
          expect(low ?? Number.NEGATIVE_INFINITY).toBeLessThanOrEqual(
            reached === "before" ? Number.NEGATIVE_INFINITY : at,
          );
          expect(high ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(at);
        }
      }),
      { seed: 7 },
    );
  });
});
