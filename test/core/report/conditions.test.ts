import { expect, it } from "vitest";
import { reportComparisonOf, ReportComparison } from "../../../src/core/report/compare.ts";
import { RunConditions } from "../../../src/core/report/conditions.ts";
import { findingsIn } from "../../../src/core/report/diagnosis/diagnosis.ts";
import { comparePayloads, describePayload } from "../../../src/core/report/payload-report.ts";
import { ReportPayload } from "../../../src/core/report/payload.ts";
import { runConditions } from "../../../src/core/report/run-conditions.ts";
import { scoreReport } from "../../../src/core/report/scoring.ts";
import { troubledTests } from "../../../src/core/report/troubled-tests.ts";
import { acceptedPayload, referencePayload, reportDetail, type Json } from "../../support/payload.ts";

const witness = (key: string, actual: number): Json => ({ key, expected: 0, actual, unit: "percent" });

/** A test that others disturbed, as `tickmark bench` reports it. */
const disturbed = (...witnesses: readonly Json[]): Json => ({
  outcome: "skipped",
  success: false,
  reason_code: "machine_busy",
  witnesses,
});

const unwitnessed = { other_cpu_percent: null, other_disk_percent: null, processor_slowed_percent: null };

const slowDisk = { direct_io: true, read_iops: 170, read_p99_ms: 300, write_p99_ms: 400 };

const busyRun = (overrides: Json = {}): ReportPayload =>
  acceptedPayload(
    {
      local_id: "busy",
      benchmark_mode: "custom",
      measured_by: "wall_time",
      host: { other_cpu_percent: 61.5, cpu_pressure_percent: 12 },
      ...overrides,
    },
    {
      cpu_single_core: {
        ...disturbed(witness("other_cpu_percent", 98)),
        metrics: { ops_per_second: 24_145 },
      },
      disk_random_4k: {
        ...disturbed(witness("other_cpu_percent", 1.5), witness("other_disk_percent", 43)),
        metrics: slowDisk,
      },
    },
  );

it("[OUR-BCH-99] a report says how it was measured and which tests others disturbed", () => {
  const { report } = describePayload(busyRun());
  expect(report.conditions).toEqual({
    measured_by: "wall_time",
    other_cpu_percent: 61.5,
    cpu_pressure_percent: 12,
    busy_tests: [
      { ...unwitnessed, test_id: "cpu_single_core", other_cpu_percent: 98 },
      { ...unwitnessed, test_id: "disk_random_4k", other_cpu_percent: 1.5, other_disk_percent: 43 },
    ],
  });
  expect(RunConditions.parse(report.conditions)).toEqual(report.conditions);
  expect(Object.values(report.scores)).toEqual([null, null, null, null]);
});

it("[OUR-BCH-99] a run that says nothing of it has no conditions", () => {
  expect(runConditions(acceptedPayload())).toBeNull();
  expect(describePayload(acceptedPayload()).report.conditions).toBeNull();
  expect(runConditions(acceptedPayload({ measured_by: "wall_time" }))).toEqual({
    measured_by: "wall_time",
    other_cpu_percent: null,
    cpu_pressure_percent: null,
    busy_tests: [],
  });
  expect(runConditions(acceptedPayload({ host: { other_cpu_percent: 0 } }))).toMatchObject({
    measured_by: "wall_time",
    other_cpu_percent: 0,
  });
});

it("[OUR-BCH-99] no score is made of a disturbed test, whatever mode the upload names", () => {
  const { scores, sub_scores } = scoreReport(busyRun({ benchmark_mode: "standard" }));
  expect([scores.total, scores.hardware, scores.single_core]).toEqual([0, 0, 0]);
  expect(sub_scores.memory).toBe(1000);
});

it("[OUR-BCH-100] a run by CPU time is custom", () => {
  const sent = (mode: string) =>
    ReportPayload.safeParse(referencePayload({ measured_by: "cpu_time", benchmark_mode: mode }));
  expect(sent("custom").success).toBe(true);
  expect(sent("standard").error?.issues.map(({ path }) => path)).toEqual([["measured_by"]]);
  expect(ReportPayload.safeParse(referencePayload({ measured_by: "sundial" })).success).toBe(false);
});

it("[OUR-BCH-100] runs by CPU time and by wall time are not comparable, whatever else differs", () => {
  const serving = (local_id: string): ReportPayload =>
    acceptedPayload({ local_id, measured_by: "cpu_time", benchmark_mode: "custom" });
  const quiet = acceptedPayload();
  for (const [base, other] of [
    [serving("a"), quiet],
    [quiet, serving("a")],
  ] as const) {
    const answer = comparePayloads(base, other);
    expect(ReportComparison.parse(answer)).toEqual(answer);
    expect([answer.comparable, answer.blocked_by, answer.summary.outcome]).toEqual([
      false,
      "measured_by",
      "not_comparable",
    ]);
  }
  expect(comparePayloads(serving("a"), serving("b")).blocked_by).toBeNull();
  // A plugin that does not say it measured by wall time.
  expect(comparePayloads(acceptedPayload({ measured_by: "wall_time" }), quiet).blocked_by).toBeNull();
});

it("[OUR-BCH-101] a comparison with a disturbed run carries machine_busy with the number of such tests", () => {
  const quiet = reportDetail(acceptedPayload());
  const busy = reportDetail(busyRun(), { id: "other" });
  const caveat = { code: "machine_busy", base: 0, other: 2 };
  expect(reportComparisonOf(quiet, busy).caveats).toEqual([caveat]);
  expect(reportComparisonOf(busy, quiet).caveats).toEqual([{ ...caveat, base: 2, other: 0 }]);
  expect(reportComparisonOf(busy, busy).caveats).toEqual([]);
  const steady = { base: 0, other: 1 };
  expect(reportComparisonOf(quiet, busy, steady).caveats.map(({ code }) => code)).toEqual([
    "tests_unsteady",
    "machine_busy",
  ]);
});

it("[OUR-BCH-102] a disturbed test is named as such, and nothing is said of its disk or core", () => {
  expect(findingsIn(busyRun())).toEqual([
    {
      code: "measurement_unreliable",
      severity: "warning",
      subject: "cpu_single_core",
      cause: "bench_artifact",
      evidence: [
        { key: "other_cpu_percent", value: 98, unit: "percent" },
        { key: "threshold_percent", value: 10, unit: "percent" },
      ],
      reason_code: "machine_busy",
    },
    {
      code: "measurement_unreliable",
      severity: "warning",
      subject: "disk_random_4k",
      cause: "bench_artifact",
      evidence: [
        { key: "other_cpu_percent", value: 1.5, unit: "percent" },
        { key: "other_disk_percent", value: 43, unit: "percent" },
        { key: "threshold_percent", value: 10, unit: "percent" },
      ],
      reason_code: "machine_busy",
    },
  ]);
  expect(troubledTests(busyRun())).toEqual({
    failed: [],
    unreliable: ["cpu_single_core", "disk_random_4k"],
  });
  const alone = acceptedPayload({ benchmark_mode: "custom" }, { disk_random_4k: { metrics: slowDisk } });
  expect(findingsIn(alone).map(({ code }) => code)).toEqual(["disk_latency_high", "random_read_starved"]);
});

it("[OUR-BCH-102] a processor that the host slowed is named with by how much", () => {
  const slowed = acceptedPayload(
    { benchmark_mode: "custom" },
    {
      cpu_single_core: disturbed(witness("other_cpu_percent", 0.4), witness("processor_slowed_percent", 15)),
    },
  );
  expect(runConditions(slowed)?.busy_tests).toEqual([
    {
      test_id: "cpu_single_core",
      other_cpu_percent: 0.4,
      other_disk_percent: null,
      processor_slowed_percent: 15,
    },
  ]);
  expect(findingsIn(slowed)).toEqual([
    {
      code: "measurement_unreliable",
      severity: "warning",
      subject: "cpu_single_core",
      cause: "bench_artifact",
      evidence: [
        { key: "processor_slowed_percent", value: 15, unit: "percent" },
        { key: "threshold_percent", value: 5, unit: "percent" },
      ],
      reason_code: "machine_busy",
    },
  ]);
});

it("[OUR-BCH-102] a witness of other programs on a quiet machine is no finding", () => {
  const calm = { witnesses: [witness("other_cpu_percent", 4.2), witness("cpu_pressure_percent", 30)] };
  expect(findingsIn(acceptedPayload({}, { cpu_single_core: calm }))).toEqual([]);
});

it("[OUR-BCH-102] a test that failed, or that the host limited, has the run's own reason", () => {
  const failed = { outcome: "failure", success: false, reason_code: "answer_not_understood" };
  const refused = { outcome: "skipped", success: false, reason_code: "disk_space_refused" };
  const findings = findingsIn(acceptedPayload({}, { entities_ai: failed, memory_stress: refused }));
  expect(findings.map(({ code, reason_code }) => [code, reason_code])).toEqual([
    ["test_failed", "answer_not_understood"],
    ["host_constrained", "disk_space_refused"],
  ]);
});
