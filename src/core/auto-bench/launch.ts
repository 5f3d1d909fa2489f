import { clockToleranceMs } from "../metric/clock.ts";
import type { Instant } from "../time.ts";

/** Least time between two launches of one target, by hand or by schedule, ms. */
export const cooldownMs = 60_000;

/** Runs are counted over the 24 hours before now, ms. */
export const quotaWindowMs = 24 * 60 * 60 * 1000;

/** A scheduled start that is this late is skipped: its agent would have come too late as well. */
export const latestFireMs = 30 * 60 * 1000;

export interface Spent {
  readonly at: Instant;
  readonly runs: number;
}

export type LaunchRefusal =
  | { readonly kind: "already_running"; readonly jobId: string }
  | { readonly kind: "cooldown"; readonly waitMs: number }
  /** `waitMs` is null if waiting does not help. */
  | {
      readonly kind: "daily_run_quota_exceeded";
      readonly limit: number;
      readonly left: number;
      readonly waitMs: number | null;
    };

export interface LaunchFacts {
  readonly runsPerJob: number;
  readonly lastLaunchedAt: Instant | null;
  readonly inFlightId: string | null;
  /** Runs that the plan allows in 24 hours. */
  readonly limit: number;
  /** By the account's jobs in the window, oldest first. */
  readonly spent: readonly Spent[];
}

/** The first of the reasons; null if the target can be launched. */
export function launchRefusal(facts: LaunchFacts, now: Instant): LaunchRefusal | null {
  const { inFlightId, lastLaunchedAt } = facts;
  if (inFlightId !== null) return { kind: "already_running", jobId: inFlightId };
  const isBelievable = lastLaunchedAt !== null && lastLaunchedAt <= now + clockToleranceMs;
  const waitMs = isBelievable ? Math.min(lastLaunchedAt + cooldownMs - now, cooldownMs) : 0;
  if (waitMs > 0) return { kind: "cooldown", waitMs };
  return quotaRefusal(facts, now);
}

function quotaRefusal({ runsPerJob, limit, spent }: LaunchFacts, now: Instant): LaunchRefusal | null {
  const inWindow = spent.filter(({ at }) => at > now - quotaWindowMs && at <= now + clockToleranceMs);
  const left = limit - inWindow.reduce((sum, { runs }) => sum + runs, 0);
  if (left >= runsPerJob) return null;
  let free = left;
  const frees = inWindow.find(({ runs }) => (free += runs) >= runsPerJob);
  const waitMs = frees ? Math.max(1, frees.at + quotaWindowMs - now) : null;
  return { kind: "daily_run_quota_exceeded", limit, left: Math.max(0, left), waitMs };
}
