import { theilSen } from "../statistics/theil-sen.ts";
import { dayMs, type Instant } from "../time.ts";
import { type FieldLow, lowMs } from "./field-low.ts";
import { heapCritical } from "./thresholds.ts";

// Figures were chosen by simulation: test/bench/memory-growing.bench.ts prints both errors of the rule.

/** A boot is judged from this age, ms, */
export const leastObservedMs = 2 * dayMs;
/** and by at most this much of it, ms. */
export const mostObservedMs = 7 * dayMs;
/** The heap must reach the critical share within this multiple of the observed time. */
const reachFactor = 3;
/** A fall by this share of the limit is a collection of the old generation. */
const collectedShare = 0.05;
/** From this share of the limit all lows count: no collector leaves garbage there for long. */
const lateShare = 0.7;

export interface MemoryGrowth {
  readonly since: Instant;
  /** MB a day; `leastPerDay` is the lower end of the 95 % interval. */
  readonly perDay: number;
  readonly leastPerDay: number;
  readonly floorMb: number;
  /** When the newest floor was measured; the heap grows from there. */
  readonly measuredAt: Instant;
  /** `fullAt` must lie within this time for growth to count, ms. */
  readonly mostMs: number;
  /** When the floor reaches 90 % of the limit at this slope. */
  readonly fullAt: Instant;
}

/**
 * The lows up to the last collection of the old generation: after it, garbage rises like a leak. All lows if
 * the newest is so high that garbage would have been collected.
 */
function collectedLows(lows: readonly FieldLow[], limitMb: number): readonly FieldLow[] {
  if ((lows.at(-1)?.mb ?? 0) >= lateShare * limitMb) return lows;
  let [top, end] = [-Infinity, 0];
  for (const [index, { mb }] of lows.entries()) {
    const isCollected = top - mb >= collectedShare * limitMb;
    if (isCollected) end = index + 1;
    top = isCollected ? mb : Math.max(top, mb);
  }
  return lows.slice(0, end);
}

/** For each low, the least of it and all later ones: heap above that may be garbage. */
function floorsOf(lows: readonly FieldLow[]): readonly FieldLow[] {
  let least = Infinity;
  return lows
    .toReversed()
    .map(({ at, lowAt, mb }) => {
      least = Math.min(least, mb);
      return { at, lowAt, mb: least };
    })
    .toReversed();
}

/**
 * Growth of one boot's heap, from lows in order of time. Null unless the slope of the floor (Theil-Sen) is
 * above 0 with 95 % confidence and reaches 90 % of the limit within three times the observed time, or if the
 * floor is there already.
 */
export function memoryGrowth(lows: readonly FieldLow[], limitMb: number): MemoryGrowth | null {
  const floors = floorsOf(collectedLows(lows, limitMb));
  const [first, last] = [floors[0], floors.at(-1)];
  const full = heapCritical * limitMb;
  const line = theilSen(floors.map(({ lowAt, mb }) => ({ x: lowAt / dayMs, y: mb })));
  if (!first || !last || !line || line.low <= 0 || last.mb >= full) return null;
  const mostMs = reachFactor * (last.at + lowMs - first.at);
  const leftMs = ((full - last.mb) / line.slope) * dayMs;
  if (leftMs > mostMs) return null;
  return {
    since: first.at,
    perDay: line.slope,
    leastPerDay: line.low,
    floorMb: last.mb,
    measuredAt: last.lowAt,
    mostMs,
    fullAt: last.lowAt + leftMs,
  };
}
