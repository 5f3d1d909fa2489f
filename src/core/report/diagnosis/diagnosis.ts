import { z } from "zod";
import { Id } from "../../id.ts";
import type { ReportPayload } from "../payload.ts";
import type { JudgedReport } from "../stored-payload.ts";
import {
  diskLatencyHigh,
  memoryLatencyUnmeasured,
  random4kUnmeasured,
  randomReadStarved,
} from "./disk-rules.ts";
import { DiagnosisCode, DiagnosisFinding, type DiagnosisRule } from "./finding.ts";
import { cpuQuota, hostConstrained, jvmHeapSaturated } from "./host-rules.ts";
import { measurementUnreliable, testFailed } from "./test-rules.ts";
import { diagnosisVersion } from "./thresholds.ts";
import {
  singleCoreSaturated,
  tickSpikes,
  tickSpikesFromGc,
  tickSpikesOffCpu,
  tpsFloor,
} from "./tick-rules.ts";

/** `algorithm_version` is that of the scores, `diagnosis_version` that of these rules. */
export const Diagnosis = z.object({
  report_id: Id.nullable(),
  short_id: Id.nullable(),
  algorithm_version: z.string().nullable(),
  diagnosis_version: z.string(),
  findings: z.array(DiagnosisFinding),
});
export type Diagnosis = z.infer<typeof Diagnosis>;

const rules: Record<DiagnosisCode, DiagnosisRule> = {
  cpu_quota: cpuQuota,
  disk_latency_high: diskLatencyHigh,
  host_constrained: hostConstrained,
  jvm_heap_saturated: jvmHeapSaturated,
  measurement_unreliable: measurementUnreliable,
  memory_latency_unmeasured: memoryLatencyUnmeasured,
  random_4k_unmeasured: random4kUnmeasured,
  random_read_starved: randomReadStarved,
  single_core_saturated: singleCoreSaturated,
  test_failed: testFailed,
  tick_spikes: tickSpikes,
  tick_spikes_from_gc: tickSpikesFromGc,
  tick_spikes_off_cpu: tickSpikesOffCpu,
  tps_floor: tpsFloor,
};

const severities = DiagnosisFinding.shape.severity.options;
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const inOrder = (a: DiagnosisFinding, b: DiagnosisFinding): number =>
  severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
  compareText(a.code, b.code) ||
  compareText(a.subject ?? "", b.subject ?? "");

/** A test that was run several times gives only the worst finding of each code. */
function oncePerSubject(sorted: readonly DiagnosisFinding[]): DiagnosisFinding[] {
  const seen = new Set<string>();
  return sorted.filter(({ code, subject }) => {
    const key = JSON.stringify([code, subject]);
    return !seen.has(key) && seen.add(key);
  });
}

/** Sorted by severity, code and subject. Evidence: values of the upload and published thresholds only. */
export function findingsIn(payload: ReportPayload): DiagnosisFinding[] {
  const all = DiagnosisCode.options.flatMap((code) =>
    rules[code](payload).map((found) =>
      Object.assign({ code }, found, { reason_code: found.reason_code ?? null }),
    ),
  );
  return oncePerSubject(all.sort(inOrder));
}

export const diagnose = ({ id, shortId, content }: JudgedReport, payload: ReportPayload): Diagnosis => ({
  report_id: id,
  short_id: shortId,
  algorithm_version: content.algorithm_version,
  diagnosis_version: diagnosisVersion,
  findings: findingsIn(payload),
});
