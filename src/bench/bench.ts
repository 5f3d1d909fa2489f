import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { disturbedReason } from "../core/report/conditions.ts";
import { loadReference } from "../core/report/reference.ts";
import type { BenchTest } from "./bench-test.ts";
import { startGame, type GameOptions } from "./game/game-tests.ts";
import { readHardware } from "./machine/hardware.ts";
import { watchHost } from "./machine/host-watch.ts";
import { machineTests } from "./machine/machine-tests.ts";
import { readOsName } from "./machine/os-name.ts";
import type { ProgramShare } from "./machine/others/process-times.ts";
import { readProcessors } from "./machine/processors.ts";
import { usableMemory } from "./machine/usable-memory.ts";
import { reportOf, type GameBlocks, type BenchReport } from "./report.ts";
import { runTests, type FinishedTest, type TestRun } from "./run-tests.ts";
import { makeScratchFolder, removeScratchFolder } from "./scratch-folder.ts";

/** The tests that need the owner's server. */
export const gameTestIds: readonly string[] = Object.keys(loadReference);
/** In the order in which the tests run. */
export const testIds: readonly string[] = [...machineTests.map(({ id }) => id), ...gameTestIds];

export interface BenchOptions extends Pick<
  TestRun,
  "mode" | "length" | "signal" | "measuredBy" | "onFinished" | "log"
> {
  /** Null: all tests that can run. */
  readonly tests: readonly string[] | null;
  /** The folder whose disk is measured. */
  readonly directory: string;
  /** Null: only the machine is measured. */
  readonly game: Pick<GameOptions, "jar" | "java" | "javaArgs" | "acceptEula"> | null;
  /** True if the owner's server may run meanwhile: the heap is then at most half of the free memory. */
  readonly leavesMemory: boolean;
  /** Name and version of this program. */
  readonly version: string;
  readonly jobNonce: string | null;
  readonly onProgress: TestRun["onProgress"];
}

export interface FinishedBench {
  readonly report: BenchReport;
  /** What ran beside it, for people on this machine; no part of the report. */
  readonly busiest: readonly ProgramShare[];
}

/** At full length, ms. */
const pauseMs = 10_000;

/**
 * Always removes its folder. A run with a test that other programs disturbed is `custom`, which has no
 * scores. Rejects with the signal's reason, or if the folder cannot be used.
 */
export async function bench(options: BenchOptions): Promise<FinishedBench> {
  const folder = await makeScratchFolder(options.directory);
  try {
    const [hardware, osName, { available }, memoryBytes] = await Promise.all([
      readHardware(folder),
      readOsName(),
      readProcessors(),
      usableMemory(),
    ]);
    const host = await watchHost();
    const run: TestRun = {
      ...options,
      folder,
      processors: available,
      memoryBytes,
      watch: host,
      pauseMs: pauseMs * options.length,
    };
    const startedAt = Date.now();
    const ofMachine = await runTests(chosenOf(machineTests, options), run);
    const ofGame = options.game === null ? null : await runGame(options.game, options, run);
    const { figures, busiest } = await host.end();
    const tests = [...ofMachine, ...(ofGame?.tests ?? [])];
    const isBusy = tests.some(({ reason_code }) => reason_code === disturbedReason);
    const mode = isBusy ? "custom" : options.mode;
    const report = reportOf({
      mode,
      measuredBy: options.measuredBy,
      startedAt,
      finishedAt: Date.now(),
      version: options.version,
      jobNonce: options.jobNonce,
      osName,
      hardware,
      host: { ...figures, rss_peak_mb: ofGame?.rssPeakMb ?? null },
      game: ofGame?.blocks ?? null,
      tests: tests.map((test) => Object.assign(test, { benchmark_mode: mode })),
    });
    return { report, busiest };
  } finally {
    await removeScratchFolder(folder);
  }
}

const chosenOf = (tests: readonly BenchTest[], { tests: ids }: Pick<BenchOptions, "tests">): BenchTest[] =>
  tests.filter(({ id }) => ids?.includes(id) ?? true);

interface GameRun {
  readonly tests: readonly FinishedTest[];
  readonly blocks: GameBlocks;
  readonly rssPeakMb: number | null;
}

async function runGame(
  game: NonNullable<BenchOptions["game"]>,
  options: BenchOptions,
  run: TestRun,
): Promise<GameRun> {
  const folder = join(run.folder, "server");
  await mkdir(folder);
  const { mode, signal, log } = options;
  const mostHeapBytes = options.leavesMemory ? run.memoryBytes : null;
  const started = await startGame({ ...game, mostHeapBytes, folder, mode, signal, log });
  try {
    const tests = await runTests(chosenOf(started.tests, options), run);
    return { tests, blocks: await started.blocks(), rssPeakMb: started.rssPeakMb() };
  } finally {
    await started.stop();
  }
}
