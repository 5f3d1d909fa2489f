import type { FindingCode, HealthFinding } from "../../../../../core/health/health.ts";
import { leastTps, tickBudgetMs, tickWarningMs } from "../../../../../core/health/thresholds.ts";
import { findingAnchor } from "./findings.tsx";
import { SeverityWord } from "./severity-word.tsx";

/** The figures of the newest sample that the page shows. */
type ShownFigure = "tps" | "mspt" | "mspt_p95" | "player_count" | "ram_used_mb" | "cpu_usage";

interface FigureRule {
  readonly codes: readonly FindingCode[];
  /** Whether this value belongs to the finding; left out where the finding is about other values than this one. */
  readonly isBeyond?: (value: number) => boolean;
}

/** The findings that a figure shows best, with the thresholds of their rules. */
const rulesOfFigure: Readonly<Record<ShownFigure, FigureRule>> = {
  tps: { codes: ["tick_over_budget"], isBeyond: (value) => value < leastTps },
  mspt: { codes: ["tick_over_budget"], isBeyond: (value) => value >= tickWarningMs },
  mspt_p95: { codes: ["tick_over_budget"], isBeyond: (value) => value >= tickBudgetMs },
  player_count: { codes: [] },
  ram_used_mb: { codes: ["heap_near_full", "container_near_limit"] },
  cpu_usage: { codes: ["machine_saturated", "noisy_machine", "cpu_throttled"] },
};

interface FigureFindingProps {
  readonly field: ShownFigure;
  readonly value: number | null;
  /** Worst first. */
  readonly findings: readonly HealthFinding[];
}

/** The severity of the worst finding on a figure, which links to it. */
export function FigureFinding({ field, value, findings }: FigureFindingProps) {
  const { codes, isBeyond } = rulesOfFigure[field];
  const worst = findings.find(({ code, severity }) => severity !== "info" && codes.includes(code));
  if (!worst || value === null || isBeyond?.(value) === false) return null;
  return (
    <a href={`#${findingAnchor(worst)}`}>
      <SeverityWord of={worst.severity} />
    </a>
  );
}
