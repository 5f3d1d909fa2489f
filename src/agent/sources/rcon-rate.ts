import { setTimeout as after } from "node:timers/promises";
import type { Measured } from "./source.ts";
import { gameTimeAnswer } from "./rcon-answers.ts";
import type { RconConnection } from "./rcon-client.ts";
import { isBehind, rateBetween, type GameClock } from "./rcon-game-time.ts";
import type { RconAnswers } from "./rcon-questions.ts";

/** Three ticks, ms: long enough to see whether the game's clock moves. */
const aFewTicksMs = 150;

/** Counts ticks by the game's own clock, for a server that does not count them. */
export function tickCounter(
  rcon: RconConnection,
): (answers: RconAnswers, signal: AbortSignal) => Promise<Measured> {
  let isKnown = true;
  let before: GameClock | null = null;

  const readClock = async (players: number | undefined, signal: AbortSignal): Promise<GameClock | null> => {
    const from = performance.now();
    const answer = gameTimeAnswer(await rcon.execute("time query gametime", signal));
    const to = performance.now();
    if (answer?.gameTime === undefined) return null;
    return { ticks: answer.gameTime, at: (from + to) / 2, offMs: (to - from) / 2, players, stands: false };
  };

  const standsStill = async (clock: GameClock, signal: AbortSignal): Promise<boolean> => {
    await after(aFewTicksMs, undefined, { signal });
    const later = await readClock(clock.players, signal);
    return later?.ticks === clock.ticks;
  };

  return async ({ rest: { pace = "running", targetTps = 20, playerCount } }, signal) => {
    const last = before;
    // If anything fails from here on, the next reading starts anew.
    before = null;
    if (!isKnown) return {};
    const seen = await readClock(playerCount, signal);
    isKnown = seen !== null;
    if (!seen || pace !== "running" || targetTps !== 20) return {};
    const isSuspect = last !== null && seen.players === 0 && isBehind(last, seen);
    const now = { ...seen, stands: isSuspect && (await standsStill(seen, signal)) };
    before = now;
    return last ? rateBetween(last, now) : {};
  };
}
