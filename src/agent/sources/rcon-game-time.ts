import type { Measured } from "./source.ts";

/** The game's own clock, which every tick of the worlds moves on by one, and who was on when it was read. */
export interface GameClock {
  readonly ticks: number;
  /** Of a clock that only goes forward, ms: the middle of question and answer. */
  readonly at: number;
  /** Half of the time the answer took, ms: how far off `at` can be. */
  readonly offMs: number;
  readonly players: number | undefined;
  /** Whether it stood still then, as it does while an empty server is paused. */
  readonly stands: boolean;
}

/** The time between two ticks, ms. */
const tickMs = 50;
/** In a shorter time one tick more or less changes the rate too much; in a longer one the server may have been away, ms. */
const shortestMs = 5000;
const longestMs = 600_000;

/**
 * The rate between two readings of the game's clock, counted and not computed. A clock behind real time is either
 * slow ticks or a pause of an empty server; if the two cannot be distinguished, no figure is given.
 */
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

/** Whether the clock is behind; only then an empty server has to be checked for a pause. */
export const isBehind = (before: GameClock, now: GameClock): boolean =>
  now.at - before.at - (now.ticks - before.ticks) * tickMs > errorMs(before, now);

/** Both readings' own uncertainty, and a tick at either end. */
const errorMs = (before: GameClock, now: GameClock): number => before.offMs + now.offMs + 2 * tickMs;

const rounded = (value: number): number => Math.round(value * 100) / 100;
