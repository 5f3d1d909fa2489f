import { expect, it } from "vitest";
import { wordsOfBoth, wordsOfEnd, wordsOfMeasured } from "../../src/cli/bench-figures.ts";
import { skippedAsBusy } from "../../src/cli/bench-run-of-job.ts";
import { wordsOfReport } from "../../src/cli/bench-words.ts";
import type { BenchReport } from "../../src/bench/report.ts";
import type { FinishedTest } from "../../src/bench/run-tests.ts";
import { plainFigure } from "../../src/dashboard/words/plain-figure.ts";
import { acceptedPayload, referencePayload, type Json } from "../support/payload.ts";

const reportWith = (overrides: Json, tests: Readonly<Record<string, Json>>): BenchReport =>
  referencePayload(overrides, tests) as unknown as BenchReport;

const busy = reportWith(
  { benchmark_mode: "custom", measured_by: "wall_time", host: { other_cpu_percent: 61.5 } },
  {
    cpu_single_core: {
      test_name: "CPU, one core",
      outcome: "skipped",
      success: false,
      reason_code: "machine_busy",
      metrics: { ops_per_second: 24_145.123_456_789, ops_per_cpu_second: 699_615.4 },
      witnesses: [{ key: "other_cpu_percent", expected: 0, actual: 98, unit: "percent" }],
    },
  },
);

it("[OUR-BCH-94] what ran beside it stands above the scores, and a disturbed figure stands beside its reason", () => {
  const lines = wordsOfReport(busy, [
    { name: "java", cpuPercent: 61 },
    { name: "node", cpuPercent: 20 },
  ]);
  expect(lines.slice(2, 6)).toEqual([
    "The machine was busy, so the run has no scores. Not judged: CPU single core (other programs used 98 % of a core).",
    "The busiest beside it: java 61 %, node 20 % of a core.",
    "",
    "No scores. Run it again when the machine is at rest, or measure the processor with --while-serving.",
  ]);
  expect(lines).toContain(
    "  CPU, one core: not judged (the machine was busy): 24,145 operations/s, 699,615 operations/CPU s",
  );
  expect(lines).toContain(
    "  warning: Other work disturbed the test, so its figures are not judged (CPU, one core): other cpu 98 % (threshold 10 %)",
  );
  expect(wordsOfReport(busy, [])[3]).toMatch(/^No program beside it can be seen from here/);
  expect(JSON.stringify(busy)).not.toMatch(/java 61/);
});

it("[OUR-BCH-97] figures for people have few digits and groups of three, and limits stand beside them", () => {
  const slow = reportWith(
    {},
    {
      disk_random_4k: { test_name: "Disk, random 4K", metrics: { read_iops: 170.234_567_891_234_5 } },
      exploration_chunk_generation: {
        test_name: "exploration",
        outcome: "failure",
        success: false,
        reason_code: "answer_not_understood",
        duration_ms: 12_345,
      },
    },
  );
  const lines = wordsOfReport(slow, []);
  expect(lines).toContain(
    "  critical: Fewer than 1,000 reads a second of 4 KB each (Disk, random 4K): 170 reads/s (threshold 1,000)",
  );
  expect(lines).toContain(
    "  critical: The test did not finish (exploration): answer not understood, after 12.3 s",
  );
  expect(lines).toContain("  exploration: not finished (answer not understood) after 12 s");
  expect(lines.filter((line) => /\d{6}|\.\d{4}/.test(line))).toEqual([]);
  expect([
    plainFigure(1_459_500.7),
    plainFigure(99.96),
    plainFigure(99.4),
    plainFigure(0.123_456),
    plainFigure(-2000.4),
    plainFigure(0),
  ]).toEqual(["1,459,501", "100", "99.4", "0.123", "-2,000", "0"]);
});

it("[OUR-BCH-98] a scheduled run that others disturbed is skipped, and no other", () => {
  expect(skippedAsBusy(busy)).toEqual({ errorCode: "machine_busy", isSkipped: true });
  expect(skippedAsBusy(reportWith({}, {}))).toBeNull();
});

it("[OUR-BCH-95] a run by CPU time shows its speed by CPU time alone", () => {
  const [test] = acceptedPayload().tests;
  const byCpu = {
    ...test,
    test_name: "CPU, one core",
    metrics: { ops_per_cpu_second: 699_615 },
  } as FinishedTest;
  expect(wordsOfMeasured(byCpu)).toBe("CPU, one core: 699,615 operations/CPU s");
  const serving = { ...busy, measured_by: "cpu_time" as const, tests: [byCpu] };
  expect(wordsOfReport(serving, []).join("\n")).toContain(
    "Measured by CPU time while the machine was in use",
  );
  const both = { ...byCpu, metrics: { ops_per_second: 2000, ops_per_cpu_second: 2000 } } as FinishedTest;
  expect(wordsOfMeasured(both)).toBe("CPU, one core: 2,000 operations/s");
  expect(wordsOfEnd(both)).toMatch(/^CPU, one core: done in \d+ s$/);
  const tests = [both, byCpu].map((each) => acceptedPayload({ tests: [each] }).tests);
  expect(wordsOfBoth(tests[1] ?? [], tests[1] ?? [])).toEqual([
    "CPU, one core: 699,615 and 699,615 operations/CPU s",
  ]);
});
