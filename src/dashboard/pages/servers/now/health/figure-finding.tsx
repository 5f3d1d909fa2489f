import type { FindingCode, HealthFinding } from "../../../../../core/health/health.ts";
import type { LateFigures } from "../../../../../core/health/late-ticks.ts";
import { type Meaning, State } from "../../../../parts/state.tsx";
import { severityMeanings } from "../../../../words/health.ts";
import type { ChartField } from "../../charts/chart-data.ts";
import { findingAnchor } from "./findings.tsx";
import { SeverityWord } from "./severity-word.tsx";

/** The figures of the page: those with a chart, and the disk. */
type ShownFigure = ChartField | "disk_free_mb";

/** The findings that a figure shows best; a tick figure shows its finding only beyond the threshold. */
const findingsOfFigure: Readonly<Record<ShownFigure, readonly FindingCode[]>> = {
  tps: ["tick_over_budget"],
  mspt: ["tick_over_budget"],
  mspt_p95: ["tick_over_budget"],
  player_count: [],
  ram_used_mb: ["heap_near_full", "container_near_limit"],
  cpu_usage: ["machine_saturated", "noisy_machine", "cpu_throttled"],
  disk_free_mb: ["disk_nearly_full"],
};

/** How far a figure of the newest sample is beyond what is good. */
export interface FigureLevel {
  readonly means: Extract<Meaning, "watch" | "bad">;
  /** Null if a single measurement is beyond its threshold, but there is no finding yet. */
  readonly finding: HealthFinding | null;
  /** In words; null if the finding is judged by other figures. */
  readonly threshold: string | null;
}

/** By the thresholds of the health rules; null for a good figure. */
export function figureLevelOf(
  field: ShownFigure,
  findings: readonly HealthFinding[],
  late: LateFigures,
): FigureLevel | null {
  const worst =
    findings.find(({ code, severity }) => severity !== "info" && findingsOfFigure[field].includes(code)) ??
    null;
  if (field === "tps" || field === "mspt" || field === "mspt_p95") {
    const beyond = late[field];
    if (!beyond) return null;
    const threshold = field === "tps" ? `below ${beyond.threshold}` : `limit ${beyond.threshold} ms`;
    return { means: severityMeanings[beyond.severity], finding: worst, threshold };
  }
  if (worst === null || worst.severity === "info") return null;
  return { means: severityMeanings[worst.severity], finding: worst, threshold: null };
}

/** Links the severity to the finding; without a finding it shows the threshold. */
export function FigureFinding({ level }: { level: FigureLevel | null }) {
  if (level === null) return null;
  const { means, finding, threshold } = level;
  if (finding === null) return <State means={means}>{threshold}</State>;
  return (
    <a href={`#${findingAnchor(finding)}`}>
      <SeverityWord of={finding.severity} />
    </a>
  );
}
