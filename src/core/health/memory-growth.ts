import { theilSen } from "../statistics/theil-sen.ts";
import { dayMs, hourMs, type Instant } from "../time.ts";
import { heapCritical } from "./thresholds.ts";

// Every figure here was chosen by simulation: test/bench/memory-growing.bench.ts prints both errors of the rule.

/** The least heap of so long a time is looked at, so that one figure is near a collection. */
export const heapLowMs = 6 * hourMs;
/** A boot is judged from this age on, */
export const leastObservedMs = 2 * dayMs;
/** and by so much of it at most. */
export const mostObservedMs = 7 * dayMs;
/** The heap has to reach the share that is critical within so many times the time observed. */
const reachFactor = 3;
/** A fall of this share of the limit is a collection of the old generation. */
const collectedShare = 0.05;
/** From this share of the limit on all that is left counts: no collector lets garbage lie up there for long. */
const lateShare = 0.7;

/** The least heap after a collection in six hours. */
export interface HeapLow {
  /** Start of the six hours, a multiple of them since the Unix epoch. */
  readonly at: Instant;
  readonly mb: number;
}

/** The lows of whole days (UTC) of a server: of every six hours from `from` to `to` that have one, in order of time. */
export interface KeptHeapLows {
  readonly from: Instant;
  /** Exclusive. */
  readonly to: Instant;
  readonly lows: readonly HeapLow[];
}

/** A heap whose floor rises. */
export interface MemoryGrowth {
  /** Start of the first six hours. */
  readonly since: Instant;
  /** MB a day, and the lower end of its interval of 95 %. */
  readonly perDay: number;
  readonly leastPerDay: number;
  /** MB that the heap was last not below. */
  readonly floorMb: number;
  /** The end of the last six hours that count. */
  readonly measuredAt: Instant;
  /** So long it may take for that to count. */
  readonly mostMs: number;
  /** When the floor reaches 90 % of the limit, if it goes on rising like that. */
  readonly fullAt: Instant;
}

/**
 * The lows up to the last collection of the old generation: behind it garbage rises like a leak. All of them once the
 * newest is so high that the garbage would have been collected.
 */
function collectedLows(lows: readonly HeapLow[], limitMb: number): readonly HeapLow[] {
  if ((lows.at(-1)?.mb ?? 0) >= lateShare * limitMb) return lows;
  let [top, end] = [-Infinity, 0];
  for (const [index, { mb }] of lows.entries()) {
    const isCollected = top - mb >= collectedShare * limitMb;
    if (isCollected) end = index + 1;
    top = isCollected ? mb : Math.max(top, mb);
  }
  return lows.slice(0, end);
}

/** The heap below which it did not come again: what lies above may be garbage. */
function floorsOf(lows: readonly HeapLow[]): readonly HeapLow[] {
  let least = Infinity;
  return lows
    .toReversed()
    .map(({ at, mb }) => {
      least = Math.min(least, mb);
      return { at, mb: least };
    })
    .toReversed();
}

/**
 * How the heap of one boot grows, from its lows in order of time: where the slope of its floor (Theil and Sen) is
 * above 0 with 95 % certainty and reaches 90 % of the limit within three times the time observed; else null. A floor
 * that is there already is no growth any more.
 */
export function memoryGrowth(lows: readonly HeapLow[], limitMb: number): MemoryGrowth | null {
  const floors = floorsOf(collectedLows(lows, limitMb));
  const [first, last] = [floors[0], floors.at(-1)];
  const full = heapCritical * limitMb;
  const line = theilSen(floors.map(({ at, mb }) => ({ x: at / dayMs, y: mb })));
  if (!first || !last || !line || line.low <= 0 || last.mb >= full) return null;
  const measuredAt = last.at + heapLowMs;
  const mostMs = reachFactor * (measuredAt - first.at);
  const leftMs = ((full - last.mb) / line.slope) * dayMs;
  if (leftMs > mostMs) return null;
  return {
    since: first.at,
    perDay: line.slope,
    leastPerDay: line.low,
    floorMb: last.mb,
    measuredAt,
    mostMs,
    fullAt: measuredAt + leftMs,
  };
}
