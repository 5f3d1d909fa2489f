import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { z } from "zod";
import type { PayloadTest } from "../core/report/payload-test.ts";
import type { BenchmarkMode } from "../core/report/report.ts";
import { refusalOf } from "./machine/host-refusal.ts";
import { spreadBeyondLimit } from "./machine/slices.ts";
import type { BenchContext, BenchTest, TestResult } from "./bench-test.ts";
import { asBusy, disturbanceOf, otherWorkWitnesses, type OtherWorkWatch } from "./other-work.ts";

export type FinishedTest = z.input<typeof PayloadTest>;

export interface TestRun extends Omit<BenchContext, "progress"> {
  readonly mode: BenchmarkMode;
  readonly watch: OtherWorkWatch;
  /** Time for a disturbance to end before the first disturbed test is repeated, ms. */
  readonly pauseMs: number;
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
 * Runs the tests one by one; a test that throws fails alone. A test that was unsteady, or that other programs
 * disturbed, is repeated after the others, when that may be over, and the better result counts. A test that
 * was disturbed both times is not judged. Rejects with the signal's reason.
 */
export async function runTests(tests: readonly BenchTest[], run: TestRun): Promise<FinishedTest[]> {
  const results = new Map<BenchTest, FinishedTest>();
  const repeated: BenchTest[] = [];
  for (const [index, test] of tests.entries()) {
    const result = await runOne(test, run, [...tests.slice(index + 1), ...repeated]);
    results.set(test, result);
    const why = whyRepeated(result, run);
    if (why === null) {
      run.onFinished(result);
      continue;
    }
    repeated.push(test);
    run.log(`${test.name}: ${why}; repeated after the other tests`);
  }
  if ([...results.values()].some((result) => isDisturbed(result, run))) await pause(run);
  for (const [index, test] of repeated.entries()) {
    const second = await runOne(test, run, repeated.slice(index + 1));
    const better = betterOf(results.get(test) ?? second, second, run);
    const result = isDisturbed(better, run) ? asBusy(better) : better;
    results.set(test, result);
    run.onFinished(result);
  }
  return [...results.values()];
}

/** By CPU time, tests are measured beside other programs on purpose. */
const isDisturbed = (result: FinishedTest, { watch, measuredBy }: TestRun): boolean =>
  measuredBy === "wall_time" && disturbanceOf(result, watch.limitPercent) !== null;

function whyRepeated(result: FinishedTest, run: TestRun): string | null {
  if (isDisturbed(result, run)) return disturbanceOf(result, run.watch.limitPercent);
  const spread = spreadBeyondLimit(result);
  return spread === 0 ? null : `the figures differ by ${spread} %`;
}

/** The repeated result, unless it has no figures, is disturbed where the first is not, or is less steady. */
function betterOf(first: FinishedTest, second: FinishedTest, run: TestRun): FinishedTest {
  if (second.outcome !== "success") return first;
  const [before, after] = [isDisturbed(first, run), isDisturbed(second, run)];
  if (before !== after) return before ? second : first;
  return spreadBeyondLimit(second) > spreadBeyondLimit(first) ? first : second;
}

/** Ends at once if the run is ended; the next test then rejects. */
const pause = ({ pauseMs, signal }: TestRun): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, pauseMs);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });

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
  const endCount = await run.watch.begin();
  const result = await runTest(test, run, progress);
  const others = otherWorkWitnesses(test, await endCount());
  return {
    ...result,
    metrics: writtenFigures(result.metrics),
    percentiles: writtenFigures(result.percentiles),
    witnesses: [...(result.witnesses ?? []), ...others],
    test_id: test.id,
    test_name: test.name,
    category: test.category,
    sub_category: null,
    benchmark_mode: run.mode,
    success: result.outcome === "success",
    duration_ms: Math.round(performance.now() - began),
  };
}

type Figures = TestResult["metrics"];

/** More digits than a repeated run shares say nothing. */
const digits = 6;

const written = (value: unknown): unknown => {
  if (typeof value === "number" && !Number.isInteger(value)) return Number(value.toPrecision(digits));
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? writtenFigures(value as NonNullable<Figures>)
    : value;
};

function writtenFigures(figures: Figures): Figures {
  return figures && Object.fromEntries(Object.entries(figures).map(([key, value]) => [key, written(value)]));
}

const expectedSeconds = (tests: readonly BenchTest[], length: number): number =>
  tests.reduce((sum, { seconds }) => sum + seconds * length, 0);

async function runTest(
  test: BenchTest,
  { folder, signal, length, processors, memoryBytes, measuredBy, log }: TestRun,
  progress: (done: number) => void,
): Promise<TestResult> {
  const own = join(folder, test.id);
  try {
    await mkdir(own);
    return await test.run({ folder: own, signal, length, processors, memoryBytes, measuredBy, progress });
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
