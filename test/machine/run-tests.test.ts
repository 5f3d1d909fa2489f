import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { BenchTest } from "../../src/bench/bench-test.ts";
import { runTests, type FinishedTest, type TestProgress, type TestRun } from "../../src/bench/run-tests.ts";
import { spreadMarks } from "../../src/bench/machine/slices.ts";
import { makeScratchFolder, removeScratchFolder } from "../../src/bench/scratch-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-bench-run-"));

const runIn = (over: Partial<TestRun> = {}): TestRun => ({
  mode: "standard",
  signal: new AbortController().signal,
  folder,
  length: 0.5,
  processors: 2,
  memoryBytes: 2 ** 28,
  onProgress: () => {},
  onFinished: () => {},
  log: () => {},
  ...over,
});

const testOf = (id: string, run: BenchTest["run"], seconds = 10): BenchTest => ({
  id,
  name: id,
  category: "cpu",
  seconds,
  run,
});

const good = testOf("good", async ({ progress, folder: own }) => {
  writeFileSync(join(own, "left.bin"), "x");
  progress(0.5);
  return { outcome: "success", reason_code: null, metrics: { ops_per_second: 7 } };
});

const systemError = (code: string): Error => Object.assign(new Error(`${code}: no`), { code });

it("[OUR-BCH-70] tests run one after another in folders of their own, which are removed, and the time left counts down", async () => {
  const progress: TestProgress[] = [];
  const finished: FinishedTest[] = [];
  const results = await runTests(
    [good, testOf("second", good.run, 20)],
    runIn({ onProgress: (now) => progress.push(now), onFinished: (test) => finished.push(test) }),
  );
  expect(results).toEqual(finished);
  expect(results.map(({ test_id, success, category }) => [test_id, success, category])).toEqual([
    ["good", true, "cpu"],
    ["second", true, "cpu"],
  ]);
  // Half of 10 s and half of 20 s.
  expect(progress.map(({ secondsLeft }) => secondsLeft)).toEqual([15, 12.5, 10, 5]);
  expect(readdirSync(folder)).toEqual([]);
});

/** A test whose slices differ by these percents, one run after another; each run measures its number. */
function unsteady(id: string, ...spreads: number[]): BenchTest {
  let count = 0;
  return testOf(id, async () => {
    const marks = spreadMarks({ spread: spreads[count] ?? 0 });
    count += 1;
    return { outcome: "success", metrics: { ops_per_second: count }, ...marks };
  });
}

it("[OUR-BCH-04] an unsteady test is repeated once after the others, and the steadier run counts", async () => {
  const [lines, started, ended]: [string[], string[], string[]] = [[], [], []];
  const tests = [unsteady("better", 20, 3), good, unsteady("worse", 9, 30), unsteady("last", 11)];
  const results = await runTests(
    tests,
    runIn({
      log: (line) => lines.push(line),
      onProgress: ({ test, done }) => done === 0 && started.push(test.id),
      onFinished: ({ test_id: id }) => ended.push(id),
    }),
  );
  expect(started).toEqual(["better", "good", "worse", "last", "better", "worse", "last"]);
  expect(ended).toEqual(["good", "better", "worse", "last"]);
  expect(results.map(({ test_id: id, metrics, flags }) => [id, metrics?.["ops_per_second"], flags])).toEqual([
    ["better", 2, { unsteady: false }],
    ["good", 7, undefined],
    ["worse", 1, { unsteady: true }],
    ["last", 2, { unsteady: false }],
  ]);
  expect(lines[0]).toBe("better: the figures differ by 20 %; repeated after the other tests");
});

it("[OUR-BCH-04] a repeated test that cannot run leaves the first result", async () => {
  let count = 0;
  const test = testOf("once", async () => {
    count += 1;
    if (count > 1) throw systemError("ENOSPC");
    return { outcome: "success", metrics: { ops_per_second: 5 }, ...spreadMarks({ spread: 50 }) };
  });
  expect(await runTests([test], runIn())).toMatchObject([
    { outcome: "success", metrics: { ops_per_second: 5 } },
  ]);
});

it.each([
  [systemError("ENOSPC"), "skipped", "disk_space_refused"],
  [systemError("EROFS"), "skipped", "folder_not_writable"],
  [systemError("ENOMEM"), "skipped", "memory_budget_refused"],
  [new Error("The kernel has no export run."), "failure", "test_crashed"],
])("[OUR-BCH-71] a test that throws ends alone: %s is %s %s", async (error, outcome, reason) => {
  const lines: string[] = [];
  const broken = testOf("broken", async () => {
    throw error;
  });
  const [failed, next] = await runTests([broken, good], runIn({ log: (line) => lines.push(line) }));
  expect(failed).toMatchObject({ outcome, success: false, reason_code: reason });
  expect(lines).toEqual(outcome === "failure" ? [`broken: ${error.message}`] : []);
  expect(next).toMatchObject({ outcome: "success" });
});

it("[OUR-BCH-72] a run that is ended rejects with the reason of the signal, and leaves no folder", async () => {
  const ending = new AbortController();
  const waiting = testOf("waiting", async ({ signal }) => {
    ending.abort(new Error("Ctrl-C"));
    signal.throwIfAborted();
    return { outcome: "success" };
  });
  await expect(runTests([waiting, good], runIn({ signal: ending.signal }))).rejects.toThrow("Ctrl-C");
  expect(readdirSync(folder)).toEqual([]);
});

it("[OUR-BCH-73] a scratch folder of a process that is gone is removed by the next run; one of a running process stays", async () => {
  const home = mkdtempSync(join(tmpdir(), "tickmark-bench-scratch-"));
  // No process has this number: it is above the largest that Linux gives.
  const left = join(home, ".tickmark-bench-99999999-aaaaaa");
  const others = join(home, ".tickmark-bench-notes");
  for (const path of [left, others]) mkdirSync(path);
  const own = await makeScratchFolder(home);
  const beside = await makeScratchFolder(home);
  expect(existsSync(left)).toBe(false);
  expect([own, beside, others].map((path) => existsSync(path))).toEqual([true, true, true]);
  await removeScratchFolder(own);
  expect(existsSync(own)).toBe(false);
});
