import { mkdtempSync, rmSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { BenchContext, BenchTest, TestResult } from "../../src/bench/bench-test.ts";
import { readHardware } from "../../src/bench/machine/hardware.ts";
import { watchHost } from "../../src/bench/machine/host-watch.ts";
import { machineTests } from "../../src/bench/machine/machine-tests.ts";
import { usableMemory } from "../../src/bench/machine/usable-memory.ts";
import type { FinishedTest } from "../../src/bench/run-tests.ts";
import { reportOf } from "../../src/bench/report.ts";
import { describePayload } from "../../src/core/report/payload-report.ts";
import { ReportPayload } from "../../src/core/report/payload.ts";
import { median } from "../../src/core/statistics/order.ts";

const folder = mkdtempSync(join("dist", "tickmark-bench-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Short runs of every test, one after another; `shortRuns` × `length` is the length of so many standard runs. */
const shortRuns = 24;
const length = 0.05;
/** A standard run is the middle of so many short ones in a row, as its own tests take the middle of their slices. */
const inStandardRun = 8;
const pairs = 100;
/** The documented tie band, as a share of the larger value. */
const tieBand = 0.05;

/** Metrics of a standard run of one test: the medians of short runs that followed one another. */
function middleOf(results: readonly TestResult[]): TestResult {
  const [first] = results;
  if (first === undefined) throw new Error("There are no runs.");
  const metrics = Object.fromEntries(
    Object.entries(first.metrics ?? {}).map(([key, value]) => [
      key,
      typeof value === "number" ? median(results.map((each) => Number(each.metrics?.[key]))) : value,
    ]),
  );
  return { ...first, metrics };
}

/** A result as the report of a standard run has it. */
const finished = (test: BenchTest, result: TestResult): FinishedTest => ({
  ...result,
  test_id: test.id,
  test_name: test.name,
  category: test.category,
  sub_category: null,
  benchmark_mode: "standard",
  success: true,
  duration_ms: 1,
});

it("runs of one machine are within the tie band of their hardware score", async () => {
  const context: BenchContext = {
    signal: new AbortController().signal,
    folder,
    length,
    processors: 2,
    memoryBytes: await usableMemory(),
    measuredBy: "wall_time",
    progress: () => {},
  };
  const watched = await watchHost();
  const recorded = new Map(machineTests.map((test) => [test, [] as TestResult[]]));
  for (let round = 0; round < shortRuns; round += 1)
    for (const test of machineTests) recorded.get(test)?.push(await test.run(context));
  const hardware = await readHardware(folder);
  const host = { ...(await watched.end()).figures, rss_peak_mb: null };
  let seed = 20_261_125;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const scoreOfRun = (): number => {
    const tests = machineTests.map((test) => {
      const from = random(shortRuns - inStandardRun + 1);
      return finished(test, middleOf((recorded.get(test) ?? []).slice(from, from + inStandardRun)));
    });
    const report = reportOf({
      mode: "standard",
      measuredBy: "wall_time",
      startedAt: 0,
      finishedAt: 1,
      version: "tickmark-bench 0.0.0",
      jobNonce: null,
      osName: null,
      hardware,
      host,
      game: null,
      tests,
    });
    return describePayload(ReportPayload.parse(report)).report.scores.hardware ?? 0;
  };
  const gaps = Array.from({ length: pairs }, () => {
    const [one, other] = [scoreOfRun(), scoreOfRun()];
    return Math.abs(one - other) / Math.max(one, other);
  });
  const tied = gaps.filter((gap) => gap < tieBand).length;
  console.log(
    `${tied} of ${pairs} simulated pairs are within the tie band (at least 95); median gap ${(100 * median(gaps)).toFixed(2)} %, largest ${(100 * Math.max(...gaps)).toFixed(2)} %; load ${loadavg()[0]?.toFixed(2)}`,
  );
  expect(gaps.length).toBe(pairs);
}, 900_000);
