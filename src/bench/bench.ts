import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { loadReference } from "../core/report/reference.ts";
import type { BenchTest } from "./bench-test.ts";
import { startGame, type GameOptions } from "./game/game-tests.ts";
import { readHardware } from "./machine/hardware.ts";
import { watchHost } from "./machine/host-watch.ts";
import { machineTests } from "./machine/machine-tests.ts";
import { readOsName } from "./machine/os-name.ts";
import { readProcessors } from "./machine/processors.ts";
import { usableMemory } from "./machine/usable-memory.ts";
import { reportOf, type GameBlocks, type BenchReport } from "./report.ts";
import { runTests, type FinishedTest, type TestRun } from "./run-tests.ts";
import { makeScratchFolder, removeScratchFolder } from "./scratch-folder.ts";

/** The tests that need the owner's server. */
export const gameTestIds: readonly string[] = Object.keys(loadReference);
/** In the order in which the tests run. */
export const testIds: readonly string[] = [...machineTests.map(({ id }) => id), ...gameTestIds];

export interface BenchOptions extends Pick<TestRun, "mode" | "length" | "signal" | "onFinished" | "log"> {
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

/** Always removes its folder. Rejects with the signal's reason, or if the folder cannot be used. */
export async function bench(options: BenchOptions): Promise<BenchReport> {
  const folder = await makeScratchFolder(options.directory);
  try {
    const [hardware, osName, { available }, memoryBytes] = await Promise.all([
      readHardware(folder),
      readOsName(),
      readProcessors(),
      usableMemory(),
    ]);
    const run: TestRun = { ...options, folder, processors: available, memoryBytes };
    const host = await watchHost();
    const startedAt = Date.now();
    const ofMachine = await runTests(chosenOf(machineTests, options), run);
    const ofGame = options.game === null ? null : await runGame(options.game, options, run);
    return reportOf({
      mode: options.mode,
      startedAt,
      finishedAt: Date.now(),
      version: options.version,
      jobNonce: options.jobNonce,
      osName,
      hardware,
      host: { ...(await host.end()), rss_peak_mb: ofGame?.rssPeakMb ?? null },
      game: ofGame?.blocks ?? null,
      tests: [...ofMachine, ...(ofGame?.tests ?? [])],
    });
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
