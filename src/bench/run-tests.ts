import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { z } from "zod";
import type { PayloadTest } from "../core/report/payload-test.ts";
import type { BenchmarkMode } from "../core/report/report.ts";
import { refusalOf } from "./machine/host-refusal.ts";
import type { BenchContext, BenchTest, TestResult } from "./bench-test.ts";

/** One finished test, as the payload has it. */
export type FinishedTest = z.input<typeof PayloadTest>;

export interface TestRun extends Omit<BenchContext, "progress"> {
  readonly mode: BenchmarkMode;
  /** Called while a test runs, and once more when it has ended. */
  readonly onProgress: (progress: TestProgress) => void;
  readonly onFinished: (test: FinishedTest) => void;
  /** Receives a line for a person about a test that failed in a way that it has no code for. */
  readonly log: (line: string) => void;
}

export interface TestProgress {
  readonly test: BenchTest;
  /** The share of this test that is done, 0 to 1. */
  readonly done: number;
  /** The expected time until the last test ends, s. */
  readonly secondsLeft: number;
}

/**
 * Runs the tests one after another, each with a folder of its own below the run's. A test that throws is a failure of
 * that test alone. Rejects with the signal's reason if the run was ended.
 */
export async function runTests(tests: readonly BenchTest[], run: TestRun): Promise<FinishedTest[]> {
  const finished: FinishedTest[] = [];
  for (const [index, test] of tests.entries()) {
    run.signal.throwIfAborted();
    const later = expectedSeconds(tests.slice(index + 1), run.length);
    const progress = (done: number): void => {
      const share = Math.min(1, Math.max(0, done));
      run.onProgress({ test, done: share, secondsLeft: later + (1 - share) * test.seconds * run.length });
    };
    progress(0);
    const began = performance.now();
    const result = await runTest(test, run, progress);
    const durationMs = Math.round(performance.now() - began);
    const one: FinishedTest = {
      ...result,
      test_id: test.id,
      test_name: test.name,
      category: test.category,
      sub_category: null,
      benchmark_mode: run.mode,
      success: result.outcome === "success",
      duration_ms: durationMs,
    };
    finished.push(one);
    run.onFinished(one);
  }
  return finished;
}

/** The expected duration of tests, s. */
const expectedSeconds = (tests: readonly BenchTest[], length: number): number =>
  tests.reduce((sum, { seconds }) => sum + seconds * length, 0);

async function runTest(
  test: BenchTest,
  { folder, signal, length, processors, memoryBytes, log }: TestRun,
  progress: (done: number) => void,
): Promise<TestResult> {
  const own = join(folder, test.id);
  try {
    await mkdir(own);
    return await test.run({ folder: own, signal, length, processors, memoryBytes, progress });
  } catch (error) {
    signal.throwIfAborted();
    const refusal = refusalOf(error);
    if (refusal !== null)
      return { outcome: "skipped", reason_code: refusal.reason, host_limit: refusal.hostLimit };
    log(`${test.id}: ${error instanceof Error ? error.message : String(error)}`);
    return { outcome: "failure", reason_code: "test_crashed" };
  } finally {
    await rm(own, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
