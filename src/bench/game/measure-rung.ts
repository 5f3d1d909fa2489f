import { setTimeout as after } from "node:timers/promises";
import { gameTimeAnswer, tickQueryAnswer } from "../../agent/sources/rcon-answers.ts";
import { secondMs } from "../../core/time.ts";
import { GameFailure } from "./game-failure.ts";
import type { Rung, RungStop } from "./ladder.ts";
import type { GameSession } from "./session.ts";

/** At full length. */
const [warmUpMs, measuredMs] = [10 * secondMs, 20 * secondMs];
/** The game's percentiles cover its last 100 ticks. */
const betweenLooksMs = 5 * secondMs;

/** A rung passes at this rate or more, and with this 95th percentile or less, ms. */
const [leastTps, mostMspt] = [19, 50];

export interface MeasuredRung extends Rung {
  readonly durationMs: number;
  readonly ticks: number;
  readonly tpsAvg: number;
  readonly msptAvg: number;
  /** The highest of all windows of 100 ticks, so not below that of all ticks. */
  readonly msptP95: number;
}

/** Measures a game at its usual pace, under a load that is there already. */
export async function measureRung(
  session: GameSession,
  load: number,
  length: number,
  signal: AbortSignal,
): Promise<MeasuredRung> {
  await after(warmUpMs * length, undefined, { signal });
  const from = await nextTick(session, signal);
  const averages: number[] = [];
  const percentiles: number[] = [];
  const looks = Math.max(1, Math.round((measuredMs * length) / betweenLooksMs));
  for (let look = 0; look < looks; look += 1) {
    await after((measuredMs * length) / looks, undefined, { signal });
    const { average, p95 } = await tickTimes(session, signal);
    averages.push(average);
    percentiles.push(p95);
  }
  const to = await nextTick(session, signal);
  const [ticks, durationMs] = [to.tick - from.tick, to.at - from.at];
  const tpsAvg = Math.min(20, (ticks / durationMs) * secondMs);
  const msptP95 = Math.max(...percentiles);
  const stop: RungStop | null =
    tpsAvg < leastTps ? "tps_dropped" : msptP95 > mostMspt ? "mspt_exceeded" : null;
  const msptAvg = averages.reduce((sum, each) => sum + each, 0) / averages.length;
  return { load, passed: stop === null, stop, durationMs, ticks, tpsAvg, msptAvg, msptP95 };
}

/** Waits until the clock moves, so that two results are a whole number of ticks apart. */
async function nextTick(
  session: GameSession,
  signal: AbortSignal,
): Promise<{ readonly tick: number; readonly at: number }> {
  const before = await gameTime(session, signal);
  const until = performance.now() + session.patience.answer;
  for (;;) {
    const tick = await gameTime(session, signal);
    if (tick > before) return { tick, at: performance.now() };
    if (performance.now() > until)
      throw new GameFailure("ticks_do_not_run", "The game's clock stands still.");
    await after(1, undefined, { signal });
  }
}

async function gameTime(session: GameSession, signal: AbortSignal): Promise<number> {
  const [text] = await session.console.run("time query gametime", /[\s\S]+/, signal);
  const tick = gameTimeAnswer(text)?.gameTime;
  if (tick === undefined) throw notUnderstood("time query gametime", text);
  return tick;
}

async function tickTimes(
  session: GameSession,
  signal: AbortSignal,
): Promise<{ readonly average: number; readonly p95: number }> {
  const [text] = await session.console.run("tick query", /[\s\S]+/, signal);
  const figures = tickQueryAnswer(text)?.figures ?? [];
  const average = figures.find(({ field }) => field === "mspt")?.value;
  const p95 = figures.find(({ field }) => field === "mspt_p95")?.value;
  if (average === undefined || p95 === undefined) throw notUnderstood("tick query", text);
  return { average, p95 };
}

const notUnderstood = (command: string, text: string): GameFailure =>
  new GameFailure(
    "answer_not_understood",
    `The server's answer to "${command}" was not understood: ${text.slice(0, 200)}`,
  );
