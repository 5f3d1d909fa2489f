import { shareOfFullRate } from "../metric/target-rate.ts";
import type { FindingSeverity } from "./health.ts";
import { leastTps, tickBudgetMs, tickWarningMs } from "./thresholds.ts";

/** Of one sample, or medians of several; null if not measured. */
export interface ShownTicks {
  readonly tps: number | null;
  /** ms a tick. */
  readonly mspt: number | null;
  readonly mspt_p95: number | null;
  /** The rate that the server is set to; 20 where it is not known. */
  readonly target_tps?: number | null | undefined;
}

type LateSeverity = Exclude<FindingSeverity, "info">;

export interface LateFigure {
  readonly severity: LateSeverity;
  readonly threshold: number;
}

export type LateFigures = Readonly<Partial<Record<"tps" | "mspt" | "mspt_p95", LateFigure>>>;

/** The time that a tick may take at the rate that the server is set to, ms. */
export const tickTimeOf = (targetTps: number | null = null): number =>
  tickBudgetMs / shareOfFullRate(targetTps);

/** Ticks are late from 50 ms, or from 40 ms if the slowest 5 % take 50 ms; at half the rate from twice that. */
export function lateByMspt({
  mspt,
  mspt_p95,
  target_tps = null,
}: Omit<ShownTicks, "tps">): LateFigure | null {
  if (mspt === null) return null;
  const share = shareOfFullRate(target_tps);
  const [budget, warning] = [tickBudgetMs / share, tickWarningMs / share];
  if (mspt >= budget) return { severity: "critical", threshold: budget };
  return mspt >= warning && mspt_p95 !== null && mspt_p95 >= budget
    ? { severity: "warning", threshold: warning }
    : null;
}

export function lateByTps(tps: number | null, targetTps: number | null = null): LateFigure | null {
  const threshold = leastTps * shareOfFullRate(targetTps);
  return tps !== null && tps < threshold ? { severity: "critical", threshold } : null;
}

/**
 * Figures beyond their thresholds; none while ticks are in time. As in `tick_over_budget`, TPS alone decides
 * only without MSPT: a server may be set to fewer ticks.
 */
export function lateFiguresOf(figures: ShownTicks): LateFigures {
  const { tps, mspt, mspt_p95, target_tps = null } = figures;
  const byMspt = lateByMspt(figures);
  const byTps = mspt === null || byMspt !== null ? lateByTps(tps, target_tps) : null;
  const budget = tickTimeOf(target_tps);
  const isTail = byMspt !== null && mspt_p95 !== null && mspt_p95 >= budget;
  return {
    ...(byTps && { tps: byTps }),
    ...(byMspt && { mspt: byMspt }),
    ...(isTail && { mspt_p95: { severity: byMspt.severity, threshold: budget } }),
  };
}

/** Whether a figure is beyond its threshold. */
export const areTicksLate = (figures: ShownTicks): boolean => Object.keys(lateFiguresOf(figures)).length > 0;
