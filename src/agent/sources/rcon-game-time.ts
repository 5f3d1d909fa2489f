import type { Measured } from "./source.ts";

/** One reading of the game's own clock, which every tick moves on by one. */
export interface GameClock {
  readonly ticks: number;
  /** By a clock that only goes forward, ms: halfway between question and answer. */
  readonly at: number;
  /** How far off `at` can be, ms: half of the answer's time. */
  readonly offMs: number;
  readonly players: number | undefined;
  /** Whether the clock stood still, as while an empty server is paused. */
  readonly stands: boolean;
}

const tickMs = 50;
/** A shorter span makes one tick count too much; in a longer one the server may have been away, ms. */
const shortestMs = 5000;
const longestMs = 600_000;

/** Counted, not computed. No figure if slow ticks cannot be told from a pause of an empty server. */
export function rateBetween(before: GameClock, now: GameClock): Measured {
  const passedMs = now.at - before.at;
  const ticks = now.ticks - before.ticks;
  if (passedMs < shortestMs || passedMs > longestMs || ticks < 0) return {};
  if (now.players === 0 && now.stands) return { paused_empty: true };
  const behindMs = Math.max(0, passedMs - ticks * tickMs);
  const isLate = isBehind(before, now);
  if (isLate && mayHavePaused(before, now)) return {};
  // Players are on and the worlds stand still: a command froze the game, so there is no rate.
  if (ticks === 0) return {};
  return {
    tps: Math.min(20, isLate ? rounded((ticks * 1000) / passedMs) : 20),
    lag_seconds: isLate ? rounded(behindMs / 1000) : 0,
    ...(now.players === 0 && { paused_empty: false }),
  };
}

/** Only an empty server pauses, and a pause ends when a player joins. */
const mayHavePaused = (before: GameClock, now: GameClock): boolean =>
  before.stands || before.players === undefined || now.players === undefined
    ? true
    : before.players === 0 && now.players > 0;

/** Only then an empty server has to be checked for a pause. */
export const isBehind = (before: GameClock, now: GameClock): boolean =>
  now.at - before.at - (now.ticks - before.ticks) * tickMs > errorMs(before, now);

/** The uncertainty of both readings, and one tick at either end. */
const errorMs = (before: GameClock, now: GameClock): number => before.offMs + now.offMs + 2 * tickMs;

const rounded = (value: number): number => Math.round(value * 100) / 100;
