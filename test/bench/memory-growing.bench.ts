import { expect, it } from "vitest";
import { memoryGrowth, mostObservedMs } from "../../src/core/health/memory-growth.ts";
import { collectors, heapHistory, limitMb } from "../support/heap-histories.ts";
import { heapRates } from "../support/heap-rates.ts";

const boots = 300;
const percent = (count: number): string => `${((100 * count) / boots).toFixed(1)} %`;

it(`how often memory_growing holds in a boot of ten days without a leak, ${boots} boots a collector`, () => {
  for (const { name, from } of collectors) {
    const { found } = heapRates(from, 0, boots);
    console.log(`${name}: in ${percent(found)} of the boots`);
    expect(found).toBeLessThan(boots);
  }
});

it(`how many leaks it finds before the heap is at 80 %, ${boots} boots a collector`, () => {
  for (const leakPerDay of [0.03, 0.06, 0.12])
    for (const { name, from } of collectors) {
      const { found, hoursBefore } = heapRates(from, leakPerDay, boots);
      const before = hoursBefore[hoursBefore.length >> 1];
      console.log(
        `${leakPerDay * 100} % of the limit a day, ${name}: ${percent(found)} found` +
          (before === undefined ? "" : `, ${before} h before 90 % (median)`),
      );
      expect(found).toBeGreaterThan(0);
    }
});

it("what it costs", () => {
  const lows = heapHistory(1, 0.45, 0.06).slice(0, mostObservedMs / 21_600_000);
  const runs = 2000;
  const before = process.cpuUsage();
  for (let run = 0; run < runs; run += 1) memoryGrowth(lows, limitMb);
  const { user, system } = process.cpuUsage(before);
  console.log(`${lows.length} lows: ${((user + system) / 1000 / runs).toFixed(4)} ms of CPU`);
  expect(lows.length).toBe(28);
});
