import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { z } from "zod";
import type { PayloadTest } from "../core/report/payload-test.ts";
import type { BenchmarkMode } from "../core/report/report.ts";
import { refusalOf } from "./machine/host-refusal.ts";
import { spreadBeyondLimit } from "./machine/slices.ts";
import type { BenchContext, BenchTest, TestResult } from "./bench-test.ts";

export type FinishedTest = z.input<typeof PayloadTest>;

export interface TestRun extends Omit<BenchContext, "progress"> {
  readonly mode: BenchmarkMode;
  readonly onProgress: (progress: TestProgress) => void;
  /** Called once for each test, with the result that counts. */
  readonly onFinished: (test: FinishedTest) => void;
  /** Gets a line for a person: a test is repeated, or failed without a code of its own. */
  readonly log: (line: string) => void;
}

export interface TestProgress {
  readonly test: BenchTest;
  /** The share of this run of the test, 0 to 1. */
  readonly done: number;
  /** Expected time until the last test ends, s. */
  readonly secondsLeft: number;
}

/**
 * Runs the tests one by one; a test that throws fails alone. An unsteady test is repeated after the others,
 * when a disturbance may be over, and the steadier result counts. Rejects with the signal's reason.
 */
export async function runTests(tests: readonly BenchTest[], run: TestRun): Promise<FinishedTest[]> {
  const results = new Map<BenchTest, FinishedTest>();
  const repeated: BenchTest[] = [];
  for (const [index, test] of tests.entries()) {
    const result = await runOne(test, run, [...tests.slice(index + 1), ...repeated]);
    results.set(test, result);
    if (spreadBeyondLimit(result) === 0) {
      run.onFinished(result);
      continue;
    }
    repeated.push(test);
    run.log(
      `${test.name}: the figures differ by ${spreadBeyondLimit(result)} %; repeated after the other tests`,
    );
  }
  for (const [index, test] of repeated.entries()) {
    const result = steadierOf(results.get(test), await runOne(test, run, repeated.slice(index + 1)));
    results.set(test, result);
    run.onFinished(result);
  }
  return [...results.values()];
}

/** The repeated result, unless it has no figures or is less steady. */
const steadierOf = (first: FinishedTest | undefined, second: FinishedTest): FinishedTest =>
  first !== undefined &&
  (second.outcome !== "success" || spreadBeyondLimit(second) > spreadBeyondLimit(first))
    ? first
    : second;

/** `later`: the tests after this one. */
async function runOne(test: BenchTest, run: TestRun, later: readonly BenchTest[]): Promise<FinishedTest> {
  run.signal.throwIfAborted();
  const secondsLater = expectedSeconds(later, run.length);
  const progress = (done: number): void => {
    const share = Math.min(1, Math.max(0, done));
    run.onProgress({
      test,
      done: share,
      secondsLeft: secondsLater + (1 - share) * test.seconds * run.length,
    });
  };
  progress(0);
  const began = performance.now();
  const result = await runTest(test, run, progress);
  return {
    ...result,
    test_id: test.id,
    test_name: test.name,
    category: test.category,
    sub_category: null,
    benchmark_mode: run.mode,
    success: result.outcome === "success",
    duration_ms: Math.round(performance.now() - began),
  };
}

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
