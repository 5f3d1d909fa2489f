import { availableProcessors, stealAvg, throttledPeriods } from "./measurements.ts";
import { anyOf, atLeast, atMost, host, judge, rule, type Condition, type TuningRule } from "./rule.ts";
import { sources } from "./sources.ts";
import type { ReportPayload } from "../payload.ts";

// Paper has a single chunk worker up to three cores.
const enoughCores = 4;
const throttledThresholdPercent = 5;
const stealThresholdPercent = 10;

/** Half as much again, in whole cores: the quota is raised step by step, with a measurement after each. */
const nextStep = (granted: number | null): number => Math.max(enoughCores, Math.ceil((granted ?? 0) * 1.5));

/** At most three processors for the JVM on a host with twice as many: a quota, not a small host. */
function fewOfMany(payload: ReportPayload): Condition {
  const { available_processors: available, cpu_cores: cores } = payload.hardware;
  const few = atMost(availableProcessors(payload), enoughCores - 1);
  if (few.holds !== true) return few;
  return { ...few, holds: cores === null || available === null ? null : cores >= 2 * available };
}

export const cpuRules: readonly TuningRule[] = [
  rule({
    code: "cpu_raise_quota",
    area: "cpu",
    setting: host("cpu_quota"),
    unit: "cores",
    retest: "cpu_multi_core",
    impact: "high",
    risk: "none",
    side_effect: null,
    source: sources.paperGlobal,
    evaluate(payload) {
      const { cpu_quota_cores: quota, available_processors: available } = payload.hardware;
      // A JVM counts its quota in whole processors, rounded up.
      const granted = quota ?? available;
      const throttled = atLeast(throttledPeriods(payload), throttledThresholdPercent);
      // A quota that throttled was too small, whatever its size.
      if (throttled.holds) return judge({ current: null, suggested: nextStep(granted), because: throttled });
      return judge({
        current: null,
        suggested: enoughCores,
        because: anyOf(throttled, fewOfMany(payload)),
        settled: granted !== null && granted >= enoughCores,
      });
    },
  }),
  rule({
    code: "cpu_report_steal",
    area: "cpu",
    setting: host("virtual_cpu"),
    unit: null,
    retest: "cpu_single_core",
    impact: "high",
    risk: "none",
    side_effect: null,
    source: sources.cpuSteal,
    evaluate: (payload) =>
      judge({
        current: null,
        suggested: "dedicated_vcpu_or_other_host",
        because: atLeast(stealAvg(payload), stealThresholdPercent),
      }),
  }),
];
