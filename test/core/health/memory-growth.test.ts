import { describe, expect, it } from "vitest";
import { evaluateHealth, findingsOf } from "../../../src/core/health/evaluate.ts";
import { type FieldLow, lowMs } from "../../../src/core/health/field-low.ts";
import { memoryGrowth } from "../../../src/core/health/memory-growth.ts";
import { theilSen } from "../../../src/core/statistics/theil-sen.ts";
import { collectors } from "../../support/heap-histories.ts";
import { heapRates } from "../../support/heap-rates.ts";
import { day, factsOf, hour, noon, samplesOf } from "./facts.ts";

const limit = 10_000;
const start = noon - 3 * day;

const lowsOf = (values: readonly number[]): FieldLow[] =>
  values.map((mb, index) => ({ at: start + index * lowMs, lowAt: start + (index + 1) * lowMs, mb }));

/** Twelve lows, three days, that rise by so much a day to `last`. */
const rising = (perDay: number, last = 7000): FieldLow[] =>
  lowsOf(Array.from({ length: 12 }, (_, index) => last - ((11 - index) * perDay) / 4));

describe("[OUR-HLT-40] the floor of a heap grows", () => {
  it("when it reaches 90 % of the limit within three times the time observed", () => {
    // 2,000 MB are left, and three times three days are nine days.
    expect(memoryGrowth(rising(2000 / 8.99), limit)).not.toBeNull();
    expect(memoryGrowth(rising(2000 / 9.01), limit)).toBeNull();
    expect(memoryGrowth(rising(400), limit)).toEqual({
      since: start,
      perDay: expect.closeTo(400) as number,
      leastPerDay: expect.closeTo(400) as number,
      floorMb: 7000,
      measuredAt: noon,
      mostMs: 9 * day,
      fullAt: expect.closeTo(noon + 5 * day) as number,
    });
  });

  it("when nothing was collected only from 70 % of the limit on", () => {
    expect(memoryGrowth(rising(400, 7000), limit)).not.toBeNull();
    expect(memoryGrowth(rising(400, 6999), limit)).toBeNull();
  });

  it("not once it is at 90 %", () => {
    expect(memoryGrowth(rising(400, 8999), limit)).not.toBeNull();
    expect(memoryGrowth(rising(400, 9000), limit)).toBeNull();
  });

  it("by what was left after collections, of which each falls by 5 % of the limit", () => {
    const teeth = (fall: number): FieldLow[] =>
      lowsOf(Array.from({ length: 12 }, (_, index) => 3000 + index * 150 + (index % 2) * (fall + 150)));
    expect(memoryGrowth(teeth(500), limit)).not.toBeNull();
    expect(memoryGrowth(teeth(499), limit)).toBeNull();
    // The garbage of the last tooth is not part of it.
    const last = lowsOf([3000, 4000, 5000, 3000, 4000, 5000, 3000, 4000, 5000, 6000, 6500, 6900]);
    expect(memoryGrowth(last, limit)).toBeNull();
  });

  it("when the interval of its slope lies above 0", () => {
    const half = [7000, 7000, 7000, 7000, 7000, 7000, 7000, 7000, 7000, 7000, 8000, 8500];
    expect(memoryGrowth(lowsOf(half), limit)).toBeNull();
    expect(memoryGrowth(rising(400).slice(-4), limit)).toBeNull();
    expect(memoryGrowth([], limit)).toBeNull();
  });
});

it("[OUR-HLT-40] the slope is the median of the slopes of all pairs, with Sen's interval", () => {
  const points = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((x) => ({ x, y: x === 4 ? 900 : 3 * x }));
  // 45 slopes, Kendall's deviation 11.18: ranks 11 and 35 are the ends.
  expect(theilSen(points)).toEqual({ slope: 3, low: 3, high: 3 });
  expect(theilSen(points.slice(0, 4))).toBeNull();
  expect(theilSen(points.map(({ y }) => ({ x: 1, y })))).toBeNull();
  const five = theilSen([0, 4, 1, 9, 3].map((y, x) => ({ x, y })));
  expect(five).toEqual({ slope: 0.875, low: -6, high: 8 });
});

it("[OUR-HLT-41] a boot without a leak is rarely called growing, and leaks are found in time", () => {
  const boots = 100;
  for (const { name, from } of collectors) {
    const calm = heapRates(from, 0, boots).found;
    const { found, hoursBefore } = heapRates(from, 0.06, boots);
    const before = hoursBefore[hoursBefore.length >> 1] ?? 0;
    console.log(`${name}: ${calm} of ${boots} calm boots, ${found} of ${boots} leaks, ${before} h before`);
    expect(calm).toBeLessThanOrEqual(3);
    expect(found).toBeGreaterThanOrEqual(95);
    expect(before).toBeGreaterThanOrEqual(48);
  }
});

describe("[OUR-HLT-42] memory_growing", () => {
  const samples = samplesOf(() => ({ mspt: 12, ram_max_mb: limit, heap_after_gc_mb: 7200 }));
  const facts = { samples, heapLows: rising(400), bootAt: start - hour };
  const isFound = (changes: object): boolean =>
    findingsOf(factsOf({ ...facts, ...changes })).some(({ code }) => code === "memory_growing");

  it("says when the heap is full, and with what steps", () => {
    const health = evaluateHealth(factsOf(facts));
    expect(health).toMatchObject({
      verdict: "degraded",
      headline: {
        code: "memory_growing",
        text: "The heap grows by 0.4 GB a day, and is 90 % full at about 2026-11-25 12:00:00 UTC if it goes on.",
      },
      findings: [
        {
          since: new Date(start - hour).toISOString(),
          since_is_at_least: false,
          evidence: [
            { key: "hours_until_heap_near_full", value: 120, unit: "hours", threshold: 216 },
            { key: "heap_growth_mb_per_day", value: 400 },
            {},
            { key: "heap_floor_mb", value: 7000, threshold: 9000 },
            {},
          ],
        },
      ],
    });
  });

  it("is of a boot of 48 hours, without windows of maintenance, of a heap whose limit is known", () => {
    expect(isFound({})).toBe(true);
    expect(isFound({ bootAt: noon - 2 * day, heapLows: rising(400).slice(-8) })).toBe(true);
    expect(isFound({ bootAt: noon - 2 * day + 1, heapLows: rising(400).slice(-7) })).toBe(false);
    expect(isFound({ bootAt: null })).toBe(false);
    expect(isFound({ samples: samplesOf(() => ({ mspt: 12 })) })).toBe(false);
    const window = (from: number, to: number) => [{ startedAt: start + from, endsAt: start + to }];
    expect(isFound({ heapLows: rising(600), maintenance: window(0, 7 * lowMs) })).toBe(true);
    expect(isFound({ heapLows: rising(600), maintenance: window(0, 7 * lowMs + 1) })).toBe(false);
  });
});
