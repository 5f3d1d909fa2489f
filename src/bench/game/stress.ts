import type { BenchContext, TestResult } from "../bench-test.ts";
import { climb, type Ladder, type LadderSteps } from "./ladder.ts";
import { GameFailure } from "./game-failure.ts";
import type { TickLoad, Witness } from "./load.ts";
import { measureRung, type MeasuredRung } from "./measure-rung.ts";
import type { GameSession } from "./session.ts";
import type { TickTally } from "./tick-tally.ts";

/** The usual number of rungs of a ladder, about. */
const usualRungs = 14;

/** Climbs with loads that `measure` makes, and records every rung. */
export async function stressResult(
  steps: LadderSteps,
  unit: string,
  tally: TickTally,
  progress: (done: number) => void,
  measure: (load: number) => Promise<MeasuredRung>,
): Promise<TestResult> {
  let measured = 0;
  const ladder = await climb(steps, async (load) => {
    const rung = await measure(load);
    tally.add(rung.ticks, rung.msptAvg);
    measured += 1;
    progress(Math.min(0.95, measured / usualRungs));
    return rung;
  });
  const { rungs, lastPassing } = ladder;
  const tps = rungs.map(({ tpsAvg }) => tpsAvg);
  const ticks = rungs.reduce((sum, rung) => sum + rung.ticks, 0);
  const durationMs = rungs.reduce((sum, rung) => sum + rung.durationMs, 0);
  const best = rungs.findLast(({ load, passed }) => passed && load === lastPassing);
  return {
    outcome: "success",
    parameters: { step: steps.step, most: steps.most },
    tps: {
      avg: Math.min(20, (1000 * ticks) / durationMs),
      min: Math.min(...tps),
      max: Math.max(...tps),
    },
    mspt: { avg: best?.msptAvg ?? null },
    stress_result: {
      unit,
      first_load: steps.first,
      last_passing_load: lastPassing,
      breaking_load: ladder.breaking,
      rungs: rungs.length,
      stop_reason: ladder.stop,
    },
    stress_progression: progressionOf(ladder, unit),
  };
}

const progressionOf = ({ rungs }: Ladder<MeasuredRung>, unit: string): TestResult["stress_progression"] =>
  rungs.map((rung, index) => ({
    rung: index + 1,
    load: rung.load,
    unit,
    duration_ms: Math.round(rung.durationMs),
    ticks: rung.ticks,
    tps_avg: rung.tpsAvg,
    mspt_avg: rung.msptAvg,
    mspt_p95: rung.msptP95,
    mspt_max: null,
    passed: rung.passed,
    stop_reason: rung.stop,
  }));

/** Raises a load until the game cannot keep its pace. */
export async function stressLoad(
  load: TickLoad,
  session: GameSession,
  tally: TickTally,
  { signal, length, progress }: Pick<BenchContext, "signal" | "length" | "progress">,
): Promise<TestResult> {
  const { first, most } = load.batches;
  const steps = { first: first * load.perBatch, most: most * load.perBatch, step: load.perBatch };
  let witnesses: readonly Witness[] = [];
  const result = await stressResult(steps, load.unit, tally, progress, async (count) => {
    const batches = count / load.perBatch;
    await session.clear(signal);
    await load.build(session, batches, signal);
    const watch = await load.watchRung(session, batches, signal);
    const before = await session.ticksRun(signal);
    await session.unfreeze(signal);
    const rung = await measureRung(session, count, length, signal);
    await session.freeze(signal);
    const seen = await watch.finish((await session.ticksRun(signal)) - before);
    throwIfShort(seen, load.id);
    if (rung.passed) witnesses = seen;
    return rung;
  });
  await session.clear(signal);
  return {
    ...result,
    witnesses: [...witnesses],
    metrics: load.metrics?.(result.stress_result?.last_passing_load ?? 0) ?? null,
  };
}

/** Below this share, the load that ran is not the load that the rung names. */
const leastShare = 0.5;

function throwIfShort(witnesses: readonly Witness[], id: string): void {
  const short = witnesses.find(({ expected, actual }) => actual < leastShare * expected);
  if (short)
    throw new GameFailure(
      "load_did_not_run",
      `The load did not run: ${short.key} is ${short.actual} instead of ${short.expected} in ${id}.`,
    );
}
