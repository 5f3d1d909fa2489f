import type { HealthVerdict } from "../../core/health/health.ts";
import { lateFiguresOf, type LateFigures } from "../../core/health/late-ticks.ts";
import { onlineWithinMs, type ServerStatus } from "../../core/server/status.ts";
import type { Instant } from "../../core/time.ts";

/** The figures of the newest measurement that are beyond their thresholds; none of a server that does not tick. */
export function lateNowOf(
  { state, current, sampled_at }: Pick<ServerStatus, "state" | "current" | "sampled_at">,
  now: Instant,
): LateFigures {
  if (current === null || sampled_at === null || now - Date.parse(sampled_at) > onlineWithinMs) return {};
  return state === "running" || state === "unresponsive" ? lateFiguresOf(current) : {};
}

/** The verdict as it is shown: ticks that have become late are shown before the verdict, which looks at 15 minutes. */
export type ShownVerdict = HealthVerdict | "slow now";

export const shownVerdictOf = (verdict: HealthVerdict, late: LateFigures): ShownVerdict =>
  verdict === "healthy" && Object.keys(late).length > 0 ? "slow now" : verdict;

/** Why the verdict is not yet what the newest figures say. */
export const slowNowWords =
  "The newest measurement is beyond a threshold. The verdict follows when the median of 15 minutes is, too.";
