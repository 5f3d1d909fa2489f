import { z } from "zod";
import { addition } from "../../addition.ts";
import { thirdPartyText } from "../../text/third-party-text.ts";
import type { ReportPayload } from "../payload.ts";

export const DiagnosisCode = z.enum([
  "cpu_quota",
  "disk_latency_high",
  "host_constrained",
  "jvm_heap_saturated",
  "measurement_unreliable",
  "memory_latency_unmeasured",
  "random_4k_unmeasured",
  "random_read_starved",
  "single_core_saturated",
  "test_failed",
  "tick_spikes",
  "tick_spikes_from_gc",
  "tick_spikes_off_cpu",
  "tps_floor",
]);
export type DiagnosisCode = z.infer<typeof DiagnosisCode>;

/** Worst first. */
const Severity = z.enum(["critical", "warning", "info"]);

const Cause = z.enum([
  "bench_artifact",
  "cpu_quota",
  "disk_latency",
  "disk_random_read",
  "gc_pause",
  "host_config",
  "jvm_heap",
  "noisy_neighbour",
  "single_core",
  "unmeasured",
]);
export type Cause = z.infer<typeof Cause>;

/** Keys and units may be words of the plugin. */
const Evidence = z.object({
  key: thirdPartyText(160).nullable(),
  value: z.number().nullable(),
  unit: thirdPartyText(32).nullable(),
});
type Evidence = z.infer<typeof Evidence>;

/** `subject` names a test, null: the whole run. `cause` is null if the run does not settle one. */
export const DiagnosisFinding = z.object({
  code: DiagnosisCode,
  severity: Severity,
  subject: thirdPartyText(64).nullable(),
  cause: Cause.nullable(),
  evidence: z.array(Evidence),
  /** Why a test has no figures that count, in the words of the run: `machine_busy`: other programs disturbed it. */
  reason_code: addition(thirdPartyText(64).nullable()),
});
export type DiagnosisFinding = z.infer<typeof DiagnosisFinding>;

/** A rule finds nothing if an input it needs was not measured. */
export type DiagnosisRule = (
  payload: ReportPayload,
) => readonly (Omit<DiagnosisFinding, "code" | "reason_code"> &
  Partial<Pick<DiagnosisFinding, "reason_code">>)[];

/** A row without a value is left out. */
export type MeasuredRow = readonly [key: string, value: number | null, unit: string | null];

export const evidence = (...rows: readonly MeasuredRow[]): Evidence[] =>
  rows.flatMap(([key, value, unit]) => (value === null ? [] : [{ key, value, unit }]));
