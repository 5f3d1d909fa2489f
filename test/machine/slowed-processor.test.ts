import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { BenchTest } from "../../src/bench/bench-test.ts";
import { runTests, type TestRun } from "../../src/bench/run-tests.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-bench-slowed-"));

/** A test that shows one speed after another, operations per CPU second; null: it fails. */
function showing(id: string, ...speeds: (number | null)[]): BenchTest {
  let count = 0;
  const run: BenchTest["run"] = async () => {
    const speed = speeds[count] ?? null;
    count += 1;
    if (speed === null) return { outcome: "failure", reason_code: "test_crashed" };
    return { outcome: "success", metrics: { ops_per_cpu_second: speed }, flags: { unsteady: false } };
  };
  return { id, name: id, category: "cpu", seconds: 1, run };
}

async function measured(tests: readonly BenchTest[], measuredBy: TestRun["measuredBy"] = "wall_time") {
  const [lines, ended]: [string[], string[]] = [[], []];
  const run: TestRun = {
    mode: "standard",
    signal: new AbortController().signal,
    folder,
    length: 1,
    processors: 2,
    memoryBytes: 2 ** 28,
    measuredBy,
    watch: {
      limitPercent: 10,
      begin: async () => async () => ({ cpuPercent: 0, userPercent: 0, stallPercent: 0 }),
    },
    pauseMs: 0,
    onProgress: () => {},
    onFinished: ({ test_id: id }) => ended.push(id),
    log: (line) => lines.push(line),
  };
  const results = await runTests(tests, run);
  const shown = results.map(({ test_id: id, metrics, flags }) => [
    id,
    metrics?.["ops_per_cpu_second"],
    flags?.["unsteady"],
  ]);
  return { shown, results, lines, ended };
}

it("[OUR-BCH-104] a core that was slower alone than beside the others is measured again, and the quicker run counts", async () => {
  const { shown, lines, ended } = await measured([
    showing("cpu_single_core", 670, 850),
    showing("cpu_multi_core", 742),
    showing("memory", 5),
  ]);
  expect(shown).toEqual([
    ["cpu_single_core", 850, false],
    ["cpu_multi_core", 742, false],
    ["memory", 5, false],
  ]);
  expect(lines).toEqual([
    "cpu_single_core: the processor was slower by 10 % than in the next test; repeated after the other tests",
  ]);
  expect(ended).toEqual(["cpu_multi_core", "memory", "cpu_single_core"]);
});

it("[OUR-BCH-104] one that is slow both times is not judged, says by how much, and keeps its figures", async () => {
  const { shown, results } = await measured([
    showing("cpu_single_core", 670, 660),
    showing("cpu_multi_core", 742),
  ]);
  expect(shown[0]).toEqual(["cpu_single_core", 670, false]);
  expect(results[0]).toMatchObject({ outcome: "skipped", success: false, reason_code: "machine_busy" });
  expect(results[0]?.witnesses).toContainEqual({
    key: "processor_slowed_percent",
    expected: 0,
    actual: 10,
    unit: "percent",
  });
});

it("[OUR-BCH-104] nothing is repeated where all cores are slower, as they usually are, or are not known", async () => {
  for (const [one, all] of [
    [870, 780],
    [846, 848],
    [800, 842],
    [800, null],
    [null, 800],
  ] as const) {
    const { lines, ended } = await measured([
      showing("cpu_single_core", one),
      showing("cpu_multi_core", all),
    ]);
    expect([one, all, lines, ended]).toEqual([one, all, [], ["cpu_single_core", "cpu_multi_core"]]);
  }
  expect((await measured([showing("cpu_single_core", 10)])).ended).toEqual(["cpu_single_core"]);
  // By CPU time both were measured beside other programs, which slow one or the other.
  const serving = [showing("cpu_single_core", 670), showing("cpu_multi_core", 742)];
  expect((await measured(serving, "cpu_time")).lines).toEqual([]);
});
