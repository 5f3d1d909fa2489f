import type { FindingSeverity } from "./health.ts";
import { leastTps, tickBudgetMs, tickWarningMs } from "./thresholds.ts";

/** Of one sample, or medians of several; null if not measured. */
export interface ShownTicks {
  readonly tps: number | null;
  /** ms a tick. */
  readonly mspt: number | null;
  readonly mspt_p95: number | null;
}

type LateSeverity = Exclude<FindingSeverity, "info">;

export interface LateFigure {
  readonly severity: LateSeverity;
  readonly threshold: number;
}

export type LateFigures = Readonly<Partial<Record<keyof ShownTicks, LateFigure>>>;

/** Ticks are late from 50 ms, or from 40 ms if the slowest 5 % take 50 ms. */
export function lateByMspt({ mspt, mspt_p95 }: Omit<ShownTicks, "tps">): LateFigure | null {
  if (mspt === null) return null;
  if (mspt >= tickBudgetMs) return { severity: "critical", threshold: tickBudgetMs };
  return mspt >= tickWarningMs && mspt_p95 !== null && mspt_p95 >= tickBudgetMs
    ? { severity: "warning", threshold: tickWarningMs }
    : null;
}

export const lateByTps = (tps: number | null): LateFigure | null =>
  tps !== null && tps < leastTps ? { severity: "critical", threshold: leastTps } : null;

/**
 * Figures beyond their thresholds; none while ticks are in time. As in `tick_over_budget`, TPS alone decides
 * only without MSPT: a server may be set to fewer ticks.
 */
export function lateFiguresOf(figures: ShownTicks): LateFigures {
  const byMspt = lateByMspt(figures);
  const byTps = figures.mspt === null || byMspt !== null ? lateByTps(figures.tps) : null;
  const isTail = byMspt !== null && figures.mspt_p95 !== null && figures.mspt_p95 >= tickBudgetMs;
  return {
    ...(byTps && { tps: byTps }),
    ...(byMspt && { mspt: byMspt }),
    ...(isTail && { mspt_p95: { severity: byMspt.severity, threshold: tickBudgetMs } }),
  };
}
