import type { Diagnosis } from "../../../core/report/diagnosis/diagnosis.ts";
import { diagnosisVersion } from "../../../core/report/diagnosis/thresholds.ts";
import { exampleReport } from "./example-report.ts";

export const exampleDiagnosis: Diagnosis = {
  report_id: exampleReport.id,
  short_id: exampleReport.short_id,
  algorithm_version: exampleReport.algorithm_version,
  diagnosis_version: diagnosisVersion,
  findings: [
    {
      code: "tick_spikes",
      severity: "warning",
      subject: null,
      cause: "gc_pause",
      evidence: [
        { key: "mspt_max", value: 231.4, unit: "ms" },
        { key: "mspt_avg", value: 31.7, unit: "ms" },
        { key: "mspt_p99", value: 71.2, unit: "ms" },
        { key: "threshold_ratio", value: 4, unit: "ratio" },
      ],
      reason_code: null,
    },
    {
      code: "tick_spikes_from_gc",
      severity: "warning",
      subject: null,
      cause: "gc_pause",
      evidence: [
        { key: "gc_pause_max_ms", value: 212, unit: "ms" },
        { key: "mspt_max", value: 231.4, unit: "ms" },
        { key: "gc_pause_total_ms", value: 9000, unit: "ms" },
        { key: "gc_pauses", value: 300, unit: "count" },
      ],
      reason_code: null,
    },
  ],
};
