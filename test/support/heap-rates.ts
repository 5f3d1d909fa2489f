import { lowMs } from "../../src/core/health/field-low.ts";
import { memoryGrowth, mostObservedMs } from "../../src/core/health/memory-growth.ts";
import { heapHistory, limitMb } from "./heap-histories.ts";

/** Lows that the service hands to the rule at most. */
const mostLows = mostObservedMs / lowMs;
/** The first lows on which a boot is judged: 48 hours have 7 whole ones, wherever they begin. */
const leastLows = 7;

const lows = (share: number): number => share * limitMb;

/** What became of the boots of as many servers. */
export interface HeapRates {
  readonly boots: number;
  /** The rule held at some time; with a leak, before the heap's floor was at 80 % of its limit. */
  readonly found: number;
  /** Hours from then until the floor was at 90 %, of those that got there, by rising hours. */
  readonly hoursBefore: readonly number[];
}

/** Judges boots of ten days every six hours, as the service would; `leakPerDay` is a share of the limit. */
export function heapRates(collectsFrom: number, leakPerDay: number, boots: number, firstSeed = 1): HeapRates {
  let found = 0;
  const hoursBefore: number[] = [];
  for (let seed = firstSeed; seed < firstSeed + boots; seed += 1) {
    const history = heapHistory(seed, collectsFrom, leakPerDay);
    const isFull = (from: number, share: number): number =>
      history.findIndex(({ mb }, index) => index >= from && mb >= lows(share));
    for (let seen = leastLows; seen <= history.length; seen += 1) {
      if (leakPerDay > 0 && isFull(0, 0.8) >= 0 && isFull(0, 0.8) < seen) break;
      if (!memoryGrowth(history.slice(Math.max(0, seen - mostLows), seen), limitMb)) continue;
      found += 1;
      const full = isFull(seen, 0.9);
      if (full >= 0) hoursBefore.push((full - seen + 1) * 6);
      break;
    }
  }
  return { boots, found, hoursBefore: hoursBefore.toSorted((one, other) => one - other) };
}
