import { directDisks, directP99Ms } from "../measured.ts";
import { assumed } from "../reference.ts";
import { scoreReport } from "../scoring.ts";
import { evidence, type DiagnosisRule } from "./finding.ts";
import { thresholds } from "./thresholds.ts";

const subject = "disk_random_4k";

export const diskLatencyHigh: DiagnosisRule = (payload) =>
  directDisks(payload).flatMap((disk) => {
    const { tickBudgetMs, criticalMs } = thresholds.disk_latency_high;
    const p99 = directP99Ms(disk);
    if (p99 === null || p99 <= tickBudgetMs) return [];
    return [
      {
        severity: p99 > criticalMs ? "critical" : "warning",
        subject,
        cause: "disk_latency",
        evidence: evidence(
          ["read_p99_ms", disk.readP99Ms, "ms"],
          ["write_p99_ms", disk.writeP99Ms, "ms"],
          ["tick_budget_ms", tickBudgetMs, "ms"],
        ),
      },
    ];
  });

export const randomReadStarved: DiagnosisRule = (payload) =>
  directDisks(payload).flatMap(({ readIops }) => {
    const { warningIops, criticalIops } = thresholds.random_read_starved;
    if (readIops === null || readIops >= warningIops) return [];
    return [
      {
        severity: readIops < criticalIops ? "critical" : "warning",
        subject,
        cause: "disk_random_read",
        evidence: evidence(["read_iops", readIops, "iops"], ["threshold_iops", warningIops, "iops"]),
      },
    ];
  });

/** The random part of the disk score is an assumption. */
export const random4kUnmeasured: DiagnosisRule = (payload) =>
  scoreReport(payload).assumptions.random4k
    ? [
        {
          severity: "info",
          subject,
          cause: "unmeasured",
          evidence: evidence(
            ["assumed_read_iops", assumed.readIops, "iops"],
            ["assumed_read_p99_ms", assumed.readP99Ms, "ms"],
          ),
        },
      ]
    : [];

/** The latency part of the memory score is an assumption. */
export const memoryLatencyUnmeasured: DiagnosisRule = (payload) =>
  scoreReport(payload).assumptions.memoryLatency
    ? [
        {
          severity: "info",
          subject: "memory_latency",
          cause: "unmeasured",
          evidence: evidence(["assumed_latency_ns", assumed.latencyNs, "ns"]),
        },
      ]
    : [];
