import type { BenchContext, TestResult } from "../bench-test.ts";
import { GameFailure } from "./game-failure.ts";
import type { TickLoad, Witness } from "./load.ts";
import type { GameSession } from "./session.ts";
import type { TickTally } from "./tick-tally.ts";

/** Ticks of a sprint at full length: a minute of the game. */
const sprintTicks = 1200;
/** Measured sprints; one more before them lets the JVM compile the code. */
const slices = 3;

/** A sprint's report has two decimals: a smaller difference from idle is mostly rounding, ms per tick. */
const leastAboveIdle = 0.1;

/** Measures the time of a tick with the load, above that of a tick of the same pen when it was empty. */
export async function measureLoad(
  load: TickLoad,
  session: GameSession,
  tally: TickTally,
  { signal, length, progress }: Pick<BenchContext, "signal" | "length" | "progress">,
): Promise<TestResult> {
  const ticks = Math.max(1, Math.round(sprintTicks * length));
  const batches = load.batches.standard;
  const count = batches * load.perBatch;
  await session.clear(signal);
  await session.sprint(ticks, signal);
  const idle = await session.sprint(ticks, signal);
  progress(0.15);
  await load.build(session, batches, signal);
  await session.sprint(ticks, signal);
  progress(0.4);
  const watch = await load.watch(session, batches, signal);
  const times: number[] = [];
  for (let slice = 0; slice < slices; slice += 1) {
    times.push(await session.sprint(ticks, signal, slice === 0 ? watch.during : undefined));
    tally.add(ticks, times.at(-1) ?? 0);
    progress(0.4 + (0.55 * (slice + 1)) / slices);
  }
  const witnesses = await watch.finish(ticks * slices);
  await session.clear(signal);
  return resultOf(load, { count, ticks, idle, times, witnesses });
}

interface Measured {
  readonly count: number;
  readonly ticks: number;
  /** Mean time of a tick of the empty pen, ms. */
  readonly idle: number;
  /** Mean time of a tick in each sprint, ms. */
  readonly times: readonly number[];
  readonly witnesses: readonly Witness[];
}

function resultOf(load: TickLoad, { count, ticks, idle, times, witnesses }: Measured): TestResult {
  const sorted = times.toSorted((a, b) => a - b);
  const [least = 0, most = 0] = [sorted[0], sorted.at(-1)];
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const above = median - idle;
  const still = witnesses.find(({ actual }) => actual === 0);
  if (still)
    throw new GameFailure("load_did_not_run", `The load did not run: ${still.key} is 0 in ${load.id}.`);
  if (above < leastAboveIdle)
    throw new GameFailure(
      "load_not_measurable",
      `A tick took ${median} ms with ${count} ${load.unit} and ${idle} ms without: too little to measure.`,
    );
  return {
    outcome: "success",
    metrics: { [load.metric]: (count * load.operationsPerTick) / above, ...load.metrics?.(count) },
    parameters: { load: count, unit: load.unit, ticks, sprints: times.length, idle_mspt: idle },
    mspt: { avg: times.reduce((sum, each) => sum + each, 0) / times.length, min: least, max: most },
    witnesses: [
      ...witnesses,
      { key: "slice_spread_percent", expected: 0, actual: (100 * (most - least)) / median, unit: "percent" },
    ],
  };
}
