import { endOf, percentOf, throttledPercent } from "../measured.ts";
import type { PayloadTest } from "../payload-test.ts";
import { evidence, type DiagnosisRule } from "./finding.ts";
import { thresholds } from "./thresholds.ts";

/** The JVM sees far fewer cores than the host advertises. */
export const cpuQuota: DiagnosisRule = (payload) => {
  const limit = thresholds.cpu_quota;
  const { hardware, host } = payload;
  const { available_processors: available, cpu_cores: cores } = hardware;
  if (available === null || cores === null || cores - available < limit.hiddenCores) return [];
  if (100 * available > limit.visiblePercent * cores) return [];
  const throttled = throttledPercent(payload) ?? 0;
  const critical = available <= limit.criticalProcessors || throttled >= limit.criticalThrottledPercent;
  const warning = available <= limit.warningProcessors || throttled >= limit.warningThrottledPercent;
  return [
    {
      severity: critical ? "critical" : warning ? "warning" : "info",
      subject: null,
      cause: "cpu_quota",
      evidence: evidence(
        ["available_processors", available, "cores"],
        ["cpu_cores", cores, "cores"],
        ["cpu_quota_cores", hardware.cpu_quota_cores, "cores"],
        ["throttled_periods", host.throttled_periods, "periods"],
        ["total_periods", host.total_periods, "periods"],
      ),
    },
  ];
};

export const jvmHeapSaturated: DiagnosisRule = ({ heap }) => {
  const { warningPercent, criticalPercent } = thresholds.jvm_heap_saturated;
  const used = percentOf(heap.after_gc_max_mb, heap.max_mb);
  if (used === null || used < warningPercent) return [];
  return [
    {
      severity: used >= criticalPercent ? "critical" : "warning",
      subject: null,
      cause: "jvm_heap",
      evidence: evidence(
        ["heap_after_gc_mb", heap.after_gc_max_mb, "MB"],
        ["heap_max_mb", heap.max_mb, "MB"],
        ["threshold_percent", warningPercent, "percent"],
      ),
    },
  ];
};

/** The plugin's reason codes for tests that the host prevented. */
export const hostReasons: ReadonlySet<string> = new Set([
  "memory_budget_refused",
  "disk_space_refused",
  "disk_quota_exceeded",
  "thread_limit_reached",
  "process_limit_reached",
  "file_limit_reached",
  "io_throttled",
  "seccomp_denied",
]);

function limitEvidence({ host_limit: bound, duration_ms: duration }: PayloadTest) {
  const rows = bound
    ? evidence([bound.setting, bound.limit, bound.unit], ["needed", bound.needed, bound.unit])
    : [];
  return rows.length > 0 ? rows : evidence(["duration_ms", duration, "ms"]);
}

export const hostConstrained: DiagnosisRule = ({ tests }) =>
  tests.flatMap((test) => {
    const refused = endOf(test) !== "success" && hostReasons.has(test.reason_code ?? "");
    if (test.host_limit === null && !refused) return [];
    return [
      {
        severity: "warning",
        subject: test.test_id,
        cause: "host_config",
        evidence: limitEvidence(test),
        reason_code: test.reason_code,
      },
    ];
  });
