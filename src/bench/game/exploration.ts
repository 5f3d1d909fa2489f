import { setTimeout as after } from "node:timers/promises";
import { secondMs } from "../../core/time.ts";
import type { BenchContext, TestResult } from "../bench-test.ts";
import { addedChunks, removedChunks } from "./answers.ts";
import type { Console } from "./console.ts";
import { GameFailure } from "./game-failure.ts";
import { measureRung, type MeasuredRung } from "./measure-rung.ts";
import type { GameSession } from "./session.ts";
import { stressResult } from "./stress.ts";
import type { TickTally } from "./tick-tally.ts";

const inWorld = "execute in minecraft:overworld";
const chunkBlocks = 16;
/** One command takes at most 16 × 16 chunks. */
const squareChunks = 16;
const mostPerCommand = squareChunks * squareChunks;
/** Distance between squares, blocks: land that is made around one is not part of the next. */
const distance = 4096;
const firstPlace = 16_384;
/** One more square is made first, so that the JVM compiles the code. */
const squares = 4;
/** The lowest block of every chunk. */
const floorY = -64;

interface Area {
  readonly x: number;
  readonly z: number;
  /** Sides, in chunks. */
  readonly wide: number;
  readonly deep: number;
}

const cornersOf = ({ x, z, wide, deep }: Area): string => `${x} ${z} ${lastOf(x, wide)} ${lastOf(z, deep)}`;
const lastOf = (from: number, chunks: number): number => from + chunks * chunkBlocks - 1;

/** The game answers `not loaded` until the chunk of the place is made. */
const placeAnswer = /Test (passed|failed)|position is not loaded/;

/** Makes untouched squares of chunks one after another; the command answers when they are made. */
export async function measureExploration(
  session: GameSession,
  { signal, length, progress }: Pick<BenchContext, "signal" | "length" | "progress">,
): Promise<TestResult> {
  const count = Math.max(1, Math.round(squares * length));
  await session.clear(signal);
  await session.unfreeze(signal);
  let [ms, chunks, cornersTicking] = [0, 0, 0];
  for (let index = 0; index <= count; index += 1) {
    const area = { x: firstPlace + index * distance, z: firstPlace, wide: squareChunks, deep: squareChunks };
    const took = await generate(session, area, signal);
    const ticking = await cornersThatTick(session, area, signal);
    await session.console.run(`${inWorld} run forceload remove ${cornersOf(area)}`, removedChunks, signal);
    progress((index + 1) / (count + 1));
    if (index === 0) continue;
    ms += took;
    chunks += mostPerCommand;
    cornersTicking += ticking;
  }
  const expected = count * mostPerCommand;
  const corners = 4 * count;
  const generated = Math.round((chunks * cornersTicking) / corners);
  return {
    outcome: "success",
    metrics: { chunks_per_second: (chunks / ms) * secondMs, chunks_generated: generated },
    parameters: { squares: count, chunks_per_square: mostPerCommand },
    witnesses: [{ key: "chunks_generated", expected, actual: generated, unit: "chunks" }],
  };
}

/** Returns the time until the chunks of all four corners are made, ms. */
async function generate(session: GameSession, area: Area, signal: AbortSignal): Promise<number> {
  const began = performance.now();
  await addArea(session.console, area, session.patience.work, signal);
  const until = began + session.patience.work;
  for (const place of placesOf(area, floorY)) {
    for (;;) {
      const test = `${inWorld} if block ${place} minecraft:bedrock`;
      const [, outcome] = await session.console.run(test, placeAnswer, signal);
      if (outcome === "passed") break;
      if (outcome === "failed")
        throw new GameFailure("world_not_usual", "The server makes another world than the usual one.");
      if (performance.now() > until)
        throw new GameFailure("chunks_not_made", "The server did not make the chunks that it was asked for.");
      await after(1, undefined, { signal });
    }
  }
  return performance.now() - began;
}

async function addArea(console: Console, area: Area, waitMs: number, signal: AbortSignal): Promise<void> {
  const command = `${inWorld} run forceload add ${cornersOf(area)}`;
  const [answer, count] = await console.run(command, addedChunks, signal, waitMs);
  if (Number(count ?? 1) === area.wide * area.deep) return;
  throw new GameFailure(
    "answer_not_understood",
    `The server did not make all chunks of "${command}", but only ${count ?? 1}: ${answer}`,
  );
}

const placesOf = ({ x, z, wide, deep }: Area, y: number): string[] =>
  [x, lastOf(x, wide)].flatMap((atX) => [z, lastOf(z, deep)].map((atZ) => `${atX} ${y} ${atZ}`));

/** A chunk ticks when its neighbours are made too, some ticks later. */
async function cornersThatTick(session: GameSession, area: Area, signal: AbortSignal): Promise<number> {
  const until = performance.now() + session.patience.answer;
  let ticking = 0;
  for (const place of placesOf(area, 0)) {
    while (!(await session.passes(`${inWorld} if loaded ${place}`, signal))) {
      if (performance.now() > until) return ticking;
      await after(50, undefined, { signal });
    }
    ticking += 1;
  }
  return ticking;
}

const players = { first: 4, most: mostPerCommand, step: 1 };
/** Time in which one player enters one untouched chunk, ms. */
const chunkMs = secondMs;
/** Below this share of the wanted rows, the rung did not get its load. */
const leastShare = 0.95;

/** Raises the number of exploring players until the game cannot keep its pace. */
export async function stressExploration(
  session: GameSession,
  tally: TickTally,
  { signal, length, progress }: Pick<BenchContext, "signal" | "length" | "progress">,
): Promise<TestResult> {
  await session.clear(signal);
  const explorer = await session.openConsole(signal);
  let rungs = 0;
  try {
    return await stressResult(players, "players", tally, progress, async (load) => {
      const x = firstPlace + rungs * distance;
      rungs += 1;
      await session.unfreeze(signal);
      const exploring = explore(explorer, { x, z: -firstPlace, wide: load }, session.patience.work, signal);
      try {
        return keptUp(await measureRung(session, load, length, signal), exploring);
      } finally {
        await exploring.stop();
        const all = `${inWorld} run forceload remove all`;
        await session.console.run(all, removedChunks, signal, session.patience.work);
      }
    });
  } finally {
    explorer.close();
  }
}

interface Exploring {
  /** The share of the rows asked for so far that are made. */
  share(): number;
  stop(): Promise<void>;
}

const keptUp = (rung: MeasuredRung, exploring: Exploring): MeasuredRung =>
  rung.passed && exploring.share() < leastShare ? { ...rung, passed: false, stop: "tps_dropped" } : rung;

/** Makes a row of new chunks a second, one chunk in front of each player. */
function explore(
  console: Console,
  { x, z, wide }: Pick<Area, "x" | "z" | "wide">,
  waitMs: number,
  signal: AbortSignal,
): Exploring {
  const began = performance.now();
  const ending = new AbortController();
  const either = AbortSignal.any([signal, ending.signal]);
  let rows = 0;
  const walk = async (): Promise<void> => {
    while (!either.aborted) {
      await addArea(console, { x, z: z + rows * chunkBlocks, wide, deep: 1 }, waitMs, signal);
      rows += 1;
      const early = began + rows * chunkMs - performance.now();
      if (early > 0) await after(early, undefined, { signal: either }).catch(() => undefined);
    }
  };
  const walking = walk();
  // `stop` rejects with the error at the end of the rung.
  walking.catch(() => undefined);
  return {
    share: () => rows / Math.max(1, Math.floor((performance.now() - began) / chunkMs)),
    async stop() {
      ending.abort();
      await walking;
    },
  };
}
