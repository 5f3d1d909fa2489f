import type { HealthVerdict } from "../../core/health/health.ts";
import type { LateFigures } from "../../core/health/late-ticks.ts";
import { tickBudgetMs } from "../../core/health/thresholds.ts";

/** Late ticks are shown before the verdict follows, which looks at 15 minutes. */
export type ShownVerdict = HealthVerdict | "slow now";

export const shownVerdictOf = (verdict: HealthVerdict, late: LateFigures): ShownVerdict =>
  verdict === "healthy" && Object.keys(late).length > 0 ? "slow now" : verdict;

/** The threshold that the newest figures exceed, with its unit. */
function beyond({ mspt, mspt_p95, tps }: LateFigures): string {
  if (mspt)
    return mspt.severity === "critical"
      ? `MSPT is ${mspt.threshold} ms or more`
      : `MSPT is ${mspt.threshold} ms or more, and its p95 is ${mspt_p95?.threshold ?? tickBudgetMs} ms or more`;
  return tps ? `TPS is below ${tps.threshold} ticks a second` : "none";
}

/** Why the verdict does not follow the newest figures yet. */
export const slowNowWords = (late: LateFigures): string =>
  `The newest measurement is beyond a threshold of the health rule tick_over_budget: ${beyond(late)}. The verdict follows when the median of 15 minutes is, too.`;
