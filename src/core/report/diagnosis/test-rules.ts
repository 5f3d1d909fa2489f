import { endOf, percentOf } from "../measured.ts";
import { isBusyTest, witnessed } from "../run-conditions.ts";
import type { PayloadTest } from "../payload-test.ts";
import { evidence, type DiagnosisRule, type MeasuredRow } from "./finding.ts";
import { thresholds } from "./thresholds.ts";

/** A test that was skipped on purpose is no finding. */
export const testFailed: DiagnosisRule = ({ tests }) =>
  tests.flatMap((test) => {
    const end = endOf(test);
    if (end !== "failure" && end !== "unsuccessful") return [];
    return [
      {
        severity: end === "failure" ? "critical" : "warning",
        subject: test.test_id,
        cause: null,
        evidence: evidence(["duration_ms", test.duration_ms, "ms"]),
        reason_code: test.reason_code,
      },
    ];
  });

function disturbance(test: PayloadTest): MeasuredRow[] {
  const { othersPercent, slowedPercent } = thresholds.measurement_unreliable;
  const slowed = witnessed(test, "processor_slowed_percent");
  return slowed === null
    ? [
        ["other_cpu_percent", witnessed(test, "other_cpu_percent"), "percent"],
        ["other_disk_percent", witnessed(test, "other_disk_percent"), "percent"],
        ["threshold_percent", othersPercent, "percent"],
      ]
    : [
        ["processor_slowed_percent", slowed, "percent"],
        ["threshold_percent", slowedPercent, "percent"],
      ];
}

/** Others disturbed the test: its figures say nothing of the machine's own speed. */
const disturbed = (test: PayloadTest): ReturnType<DiagnosisRule>[number] => ({
  severity: "warning",
  subject: test.test_id,
  cause: "bench_artifact",
  evidence: evidence(...disturbance(test)),
  reason_code: test.reason_code,
});

/** The run's own counts show that part of a test's work never ran, or that others disturbed it. */
export const measurementUnreliable: DiagnosisRule = ({ tests }) =>
  tests.flatMap((test) => {
    if (isBusyTest(test)) return [disturbed(test)];
    const { test_id, success, witnesses } = test;
    const { warningPercent, criticalPercent } = thresholds.measurement_unreliable;
    const short = witnesses.flatMap((witness) => {
      const ran = percentOf(witness.actual, witness.expected);
      return ran !== null && ran < warningPercent ? [{ ...witness, ran }] : [];
    });
    if (!success || short.length === 0) return [];
    return [
      {
        severity: short.some(({ ran }) => ran < criticalPercent) ? "critical" : "warning",
        subject: test_id,
        cause: "bench_artifact",
        evidence: short.flatMap(({ key, expected, actual, unit }) =>
          evidence([`${key}_expected`, expected, unit], [`${key}_actual`, actual, unit]),
        ),
      },
    ];
  });
