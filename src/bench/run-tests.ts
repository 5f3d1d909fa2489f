import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { z } from "zod";
import type { PayloadTest } from "../core/report/payload-test.ts";
import type { BenchmarkMode } from "../core/report/report.ts";
import { refusalOf } from "./machine/host-refusal.ts";
import { spreadBeyondLimit } from "./machine/slices.ts";
import type { BenchContext, BenchTest, TestResult } from "./bench-test.ts";
import { asSlowed, isJudgedLater, judgesFormer, quickerOf, slowedPercent } from "./slowed-processor.ts";
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
 * disturbed, is repeated after the others, when that may be over, and the better result counts; so is a test of one
 * core in which the processor was slower than in the next one. A test that was disturbed or slowed both times is not
 * judged. Rejects with the signal's reason.
 */
export async function runTests(tests: readonly BenchTest[], run: TestRun): Promise<FinishedTest[]> {
  const results = new Map<BenchTest, FinishedTest>();
  const repeated: BenchTest[] = [];
  /** The test that the next one judges. */
  let former: BenchTest | null = null;
  let slowed: BenchTest | null = null;
  const decide = (test: BenchTest, result: FinishedTest, why: string | null): void => {
    if (why === null) return run.onFinished(result);
    repeated.push(test);
    run.log(`${test.name}: ${why}; repeated after the other tests`);
  };
  for (const [index, test] of tests.entries()) {
    const later = tests.slice(index + 1);
    const result = await runOne(test, run, [...later, ...repeated]);
    results.set(test, result);
    const one = former && results.get(former);
    if (former && one && judgesFormer(test)) {
      const percent = slowedPercent(one, result);
      if (percent > 0) slowed = former;
      decide(
        former,
        one,
        percent === 0 ? null : `the processor was slower by ${percent} % than in the next test`,
      );
      former = null;
    }
    const why = whyRepeated(result, run);
    if (why === null && run.measuredBy === "wall_time" && isJudgedLater(test, later)) former = test;
    else decide(test, result, why);
  }
  if ([...results.values()].some((result) => isDisturbed(result, run))) await pause(run);
  for (const [index, test] of repeated.entries()) {
    const first = results.get(test);
    const second = await runOne(test, run, repeated.slice(index + 1));
    const better =
      first === undefined
        ? second
        : test === slowed
          ? quickerOf(first, second)
          : betterOf(first, second, run);
    const result = isDisturbed(better, run) ? asBusy(better) : better;
    results.set(test, result);
    if (test !== slowed) run.onFinished(result);
  }
  if (slowed) run.onFinished(stillSlowed(slowed, results));
  return [...results.values()];
}

/** Compared with the result of the other test that counts in the end. */
function stillSlowed(test: BenchTest, results: Map<BenchTest, FinishedTest>): FinishedTest {
  const result = results.get(test);
  const [, judge] = [...results].find(([other]) => judgesFormer(other)) ?? [];
  if (result === undefined || judge === undefined) throw new Error(`${test.id} has no result.`);
  const percent = slowedPercent(result, judge);
  const final = percent === 0 ? result : asSlowed(result, percent);
  results.set(test, final);
  return final;
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
