import { onlineWithinMs, type ServerStatus } from "../server/status.ts";
import type { Instant } from "../time.ts";
import { lateFiguresOf, type LateFigures } from "./late-ticks.ts";

/** Figures of the newest sample beyond their thresholds; none if the server does not tick. */
export function lateNowOf(
  { state, current, sampled_at }: Pick<ServerStatus, "state" | "current" | "sampled_at">,
  now: Instant,
): LateFigures {
  if (current === null || sampled_at === null || now - Date.parse(sampled_at) > onlineWithinMs) return {};
  return state === "running" || state === "unresponsive" ? lateFiguresOf(current) : {};
}
