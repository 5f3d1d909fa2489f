import { endOf, percentOf } from "../measured.ts";
import { evidence, type DiagnosisRule } from "./finding.ts";
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
      },
    ];
  });

/** A test succeeded, but the plugin's own counts show that part of its work never ran. */
export const measurementUnreliable: DiagnosisRule = ({ tests }) =>
  tests.flatMap(({ test_id, success, witnesses }) => {
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
