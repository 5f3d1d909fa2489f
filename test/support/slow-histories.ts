import { baselineDays, type LevelBucket } from "../../src/core/health/baseline.ts";
import { dice, normals } from "./dice.ts";

export const dayMs = 86_400_000;
export const bucketMs = 300_000;
export const bucketsPerDay = dayMs / bucketMs;

/** How much a server's level differs from one day to the next: the standard deviation of its logarithm. */
export const serverKinds = [
  { name: "calm", dayToDay: 0.05 },
  { name: "usual", dayToDay: 0.1 },
  { name: "wild", dayToDay: 0.2 },
] as const;

/** The days judged come after as many as a baseline needs. */
export const judgedDays = 7;
/** A Monday. */
export const historyStart = Date.UTC(2026, 10, 2);
export const firstJudged = historyStart + baselineDays * dayMs;

/** Noise of a bucket and how much of it the next one keeps: half of it is gone after half an hour. */
const noise = { deviation: 0.06, kept: 0.89 };
/** Noise of the player count. */
const playerNoise = { deviation: 0.25, kept: 0.97 };
/** Bursts (a backup, world generation, a farm): how many a day, how many buckets each, and how much slower. */
const bursts = { perDay: 2, buckets: [1, 4], factor: [1.3, 2.5] } as const;
/** Players at the best hour, ms a tick without players, and ms more with the players of the best hour. */
const sizes = { peak: [8, 70], empty: [6, 14], load: [6, 20] } as const;

/** Noise whose values keep a share of the one before (AR(1)). */
function drifting(normal: () => number, { deviation, kept }: typeof noise): () => number {
  let value = normal();
  return () => {
    value = kept * value + Math.sqrt(1 - kept * kept) * normal();
    return deviation * value;
  };
}

/** A slowdown that goes on to the end of the history, or only at some hours (UTC) of each day from then on. */
export interface PlantedSlowdown {
  readonly at: number;
  readonly factor: number;
  readonly hours?: readonly [from: number, to: number];
  /** Only with at least this many players. */
  readonly playersFrom?: number;
}

const isSlowAt = (
  { at, hours, playersFrom = 0 }: PlantedSlowdown,
  time: number,
  players: number,
): boolean => {
  const hour = (time % dayMs) / 3_600_000;
  return (
    time > at && players >= playersFrom && (hours === undefined || (hour >= hours[0] && hour < hours[1]))
  );
};

/** Somewhere in the days judged, so that a day more follows. */
export const plantedAt = (random: () => number): number =>
  firstJudged + Math.floor(random() * (judgedDays - 1.5) * dayMs);

/** How full the server is at a time, 0 to 1: fullest at 20:00, emptiest at 8:00, fuller at weekends. */
function fullness(slot: number): number {
  const hour = ((slot % bucketsPerDay) * 24) / bucketsPerDay;
  const weekday = Math.floor(slot / bucketsPerDay) % 7;
  const daily = (1 + Math.cos((2 * Math.PI * (hour - 20)) / 24)) / 2;
  return (0.05 + 0.95 * daily ** 1.5) * (weekday >= 5 ? 1 : 0.75);
}

/**
 * The buckets of one server over 21 days: daily and weekly cycle of its players, a level of each day, noise with a memory,
 * and bursts of 5 to 20 minutes.
 */
export function slowHistory(
  seed: number,
  dayToDay: number,
  planted?: PlantedSlowdown,
  judged = judgedDays,
): LevelBucket[] {
  const days = baselineDays + judged;
  const random = dice(seed);
  const normal = normals(random);
  const between = ([low, high]: readonly [number, number]): number => low + (high - low) * random();
  const [peak, empty, load] = [between(sizes.peak), between(sizes.empty), between(sizes.load)];
  const [tickNoise, crowdNoise] = [drifting(normal, noise), drifting(normal, playerNoise)];
  const buckets: LevelBucket[] = [];
  let [level, burstLeft, burstFactor] = [1, 0, 1];
  for (let slot = 0; slot < days * bucketsPerDay; slot += 1) {
    if (slot % bucketsPerDay === 0) level = Math.exp(dayToDay * normal());
    if (burstLeft > 0) burstLeft -= 1;
    else if (random() < bursts.perDay / bucketsPerDay) {
      const [least, most] = bursts.buckets;
      [burstLeft, burstFactor] = [least + Math.floor(random() * (most - least + 1)), between(bursts.factor)];
    }
    const at = historyStart + slot * bucketMs;
    const players = Math.round(peak * fullness(slot) * Math.exp(crowdNoise()));
    const usual = (empty + (load * players) / peak) * level * Math.exp(tickNoise());
    const burst = burstLeft > 0 ? burstFactor : 1;
    // A bucket is the median of its samples: slow when more than half of them are.
    const isPlanted = planted !== undefined && isSlowAt(planted, at + bucketMs / 2, players);
    buckets.push({ at, players, value: usual * burst * (isPlanted ? planted.factor : 1) });
  }
  return buckets;
}
