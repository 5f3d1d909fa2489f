import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { BenchTest } from "../../src/bench/bench-test.ts";
import { runTests, type FinishedTest, type TestProgress, type TestRun } from "../../src/bench/run-tests.ts";
import { otherDiskWitness, type OtherWork, type OtherWorkWatch } from "../../src/bench/other-work.ts";
import { spreadMarks } from "../../src/bench/machine/slices.ts";
import { makeScratchFolder, removeScratchFolder } from "../../src/bench/scratch-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-bench-run-"));

const quiet: OtherWork = { cpuPercent: 2, userPercent: 1, stallPercent: 0.5 };
/** Other programs that do this during one test after another; the last for all later ones. */
function watching(...works: readonly OtherWork[]): OtherWorkWatch {
  let count = 0;
  return {
    limitPercent: 10,
    begin: async () => {
      const work = works[Math.min(count, works.length - 1)] ?? quiet;
      count += 1;
      return async () => work;
    },
  };
}
const atRest = watching(quiet);

const runIn = (over: Partial<TestRun> = {}): TestRun => ({
  mode: "standard",
  signal: new AbortController().signal,
  folder,
  length: 0.5,
  processors: 2,
  memoryBytes: 2 ** 28,
  measuredBy: "wall_time",
  watch: atRest,
  pauseMs: 0,
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

/** Others used so much of a core, all of it in user mode. */
const busy = (cpuPercent: number): OtherWork => ({ cpuPercent, userPercent: cpuPercent, stallPercent: 40 });

/** Each run measures its number. */
function counting(id: string, category: BenchTest["category"] = "cpu", spread = 0): BenchTest {
  let count = 0;
  const run: BenchTest["run"] = async () => {
    count += 1;
    return { outcome: "success", metrics: { ops_per_second: count }, ...spreadMarks({ spread }) };
  };
  return { ...testOf(id, run), category };
}

const judgementOf = ({ test_id, outcome, success, reason_code, metrics }: FinishedTest) => [
  test_id,
  outcome,
  success,
  reason_code ?? null,
  metrics?.["ops_per_second"],
];

it("[OUR-BCH-93] a test that others disturbed is repeated once after the others, and a quiet repetition counts", async () => {
  const [lines, started]: [string[], string[]] = [[], []];
  const run = runIn({
    watch: watching(busy(98), quiet),
    log: (line) => lines.push(line),
    onProgress: ({ test, done }) => done === 0 && started.push(test.id),
  });
  const results = await runTests([counting("one"), counting("two")], run);
  expect(started).toEqual(["one", "two", "one"]);
  expect(results.map(judgementOf)).toEqual([
    ["one", "success", true, null, 2],
    ["two", "success", true, null, 1],
  ]);
  expect(lines).toEqual(["one: other programs used 98 % of a core; repeated after the other tests"]);
});

it("[OUR-BCH-93] a test that was disturbed both times is not judged, and keeps its figures", async () => {
  const ended: FinishedTest[] = [];
  const results = await runTests(
    [counting("one")],
    runIn({ watch: watching(busy(10.1)), onFinished: (test) => ended.push(test) }),
  );
  expect(results.map(judgementOf)).toEqual([["one", "skipped", false, "machine_busy", 2]]);
  expect(ended).toEqual(results);
  expect(results[0]?.witnesses).toEqual([
    { key: "other_cpu_percent", expected: 0, actual: 10.1, unit: "percent" },
    { key: "cpu_pressure_percent", expected: 0, actual: 40, unit: "percent" },
  ]);
  const atLimit = await runTests([counting("one")], runIn({ watch: watching(busy(10)) }));
  expect(atLimit.map(judgementOf)).toEqual([["one", "success", true, null, 1]]);
});

it("[OUR-BCH-93] a run at rest counts, also if it is less steady than a disturbed one", async () => {
  const first = counting("one", "cpu", 20);
  const results = await runTests([first], runIn({ watch: watching(quiet, busy(50)) }));
  expect(results.map(judgementOf)).toEqual([["one", "success", true, null, 1]]);
});

it("[OUR-BCH-93] by CPU time a test is not repeated for what others do", async () => {
  const run = runIn({ watch: watching(busy(180)), measuredBy: "cpu_time" });
  expect((await runTests([counting("one")], run)).map(judgementOf)).toEqual([
    ["one", "success", true, null, 1],
  ]);
});

it("[OUR-BCH-90] of a disk test, what the kernel did for its disk does not count", async () => {
  const forDisk: OtherWork = { cpuPercent: 60, userPercent: 3, stallPercent: null };
  const results = await runTests(
    [counting("disk", "disk"), counting("cpu")],
    runIn({ watch: watching(forDisk) }),
  );
  expect(results.map(judgementOf)).toEqual([
    ["disk", "success", true, null, 1],
    ["cpu", "skipped", false, "machine_busy", 2],
  ]);
});

it("[OUR-BCH-92] a test whose disk did more than a tenth of its work for others is disturbed", async () => {
  const shared = (share: number): BenchTest =>
    testOf("disk", async () => ({
      outcome: "success",
      metrics: { read_iops: 170.123_456_789 },
      witnesses: otherDiskWitness(1000, 1000 - share),
    }));
  const lines: string[] = [];
  const log = (line: string): number => lines.push(line);
  const [disturbed] = await runTests([shared(430)], runIn({ log }));
  expect(disturbed).toMatchObject({ outcome: "skipped", reason_code: "machine_busy" });
  expect(lines).toEqual(["disk: other programs did 43 % of the disk's work; repeated after the other tests"]);
  const [alone] = await runTests([shared(100)], runIn());
  expect(alone).toMatchObject({ outcome: "success" });
  // More of its own than the disk did: a cache lay between.
  expect(otherDiskWitness(100, 130)).toMatchObject([{ actual: 0 }]);
  expect([otherDiskWitness(null, 5), otherDiskWitness(0, 0)]).toEqual([[], []]);
});

it("[OUR-BCH-97] the figures of a report have six digits", async () => {
  const many = testOf("many", async () => ({
    outcome: "success",
    metrics: { read_iops: 170.123_456_789, samples: 1_234_567, direct_io: true, write_iops: null },
    percentiles: { read_ms: { p50: 0.123_456_789 } },
  }));
  expect(await runTests([many], runIn())).toMatchObject([
    {
      metrics: { read_iops: 170.123, samples: 1_234_567, direct_io: true, write_iops: null },
      percentiles: { read_ms: { p50: 0.123_457 } },
    },
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
