import type { FieldLow } from "../../src/core/health/field-low.ts";
import { dice, normals } from "./dice.ts";

const hourMs = 3_600_000;
/** The figures are simulated in steps of so many hours. */
const stepHours = 0.25;
/** A boot lasts so many days. */
export const bootDays = 10;
/** MB of the heap's limit; every share below is one of it. */
export const limitMb = 8192;
/** A Monday. */
export const bootAt = Date.UTC(2026, 10, 2);

/** Where a collector clears the old generation: G1 marks from 45 % on, Serial and Parallel when two thirds are full. */
export const collectors = [
  { name: "G1", from: 0.45 },
  { name: "G1 with IHOP 15 %", from: 0.15 },
  { name: "Serial, Parallel", from: 0.66 },
] as const;

/** What is in use: when nobody is on, more at the best hour, and how long it takes until worlds and caches are warm. */
const sizes = {
  empty: [0.08, 0.25],
  players: [0.02, 0.15],
  caches: [0.03, 0.15],
  warmHours: [1, 24],
} as const;
/** Garbage that reaches the old generation: share of the limit an hour, so that it is collected every 1 to 200 hours. */
const garbagePerHour = [0.002, 0.3] as const;
/** What a collection of the old generation leaves behind, share of its garbage. */
const leftBehind = [0.02, 0.15] as const;
/** Noise of what is in use, and how much of it the next step keeps. */
const noise = { deviation: 0.015, kept: 0.98 } as const;

/** The least heap after a collection in every six hours of a boot; `leakPerDay` is a share of the limit. */
export function heapHistory(seed: number, collectsFrom: number, leakPerDay = 0): FieldLow[] {
  const random = dice(seed);
  const normal = normals(random);
  const between = ([low, high]: readonly [number, number]): number => low + (high - low) * random();
  const evenly = ([low, high]: readonly [number, number]): number => low * (high / low) ** random();
  const [empty, players, caches] = [between(sizes.empty), between(sizes.players), between(sizes.caches)];
  const [warmHours, rate, left] = [evenly(sizes.warmHours), evenly(garbagePerHour), between(leftBehind)];
  const bootHour = 24 * random();
  let [garbage, drift, before] = [0, 0, empty];
  const lows = new Map<number, { readonly hour: number; readonly share: number }>();
  for (let hour = 0; hour < bootDays * 24; hour += stepHours) {
    const clock = bootHour + hour;
    const daily = ((1 + Math.cos((2 * Math.PI * (clock - 20)) / 24)) / 2) ** 1.5;
    drift = noise.kept * drift + Math.sqrt(1 - noise.kept ** 2) * normal() * noise.deviation;
    const live =
      empty + players * daily + caches * (1 - Math.exp(-hour / warmHours)) + drift + (leakPerDay * hour) / 24;
    // What is no longer in use stays in the old generation until that is collected, as players leave in the evening.
    garbage += rate * stepHours * (0.3 + 0.7 * daily) + Math.max(0, before - live);
    before = live;
    // A collector that finds nothing to collect tries later: what is in use alone may lie above its threshold.
    if (live + garbage > Math.max(collectsFrom, live + 0.05)) garbage *= left;
    const window = Math.floor(clock / 6);
    const share = Math.min(1, live + garbage);
    if (share < (lows.get(window)?.share ?? Infinity)) lows.set(window, { hour: clock, share });
  }
  return [...lows].slice(1, -1).map(([window, { hour, share }]) => ({
    at: bootAt + window * 6 * hourMs,
    lowAt: bootAt + Math.round(hour * hourMs),
    mb: Math.round(share * limitMb),
  }));
}
