import { clockToleranceMs } from "../metric/clock.ts";
import type { Instant } from "../time.ts";

/** Two launches of one target are so far apart, by whomever. */
export const cooldownMs = 60_000;

/** Runs are counted over a day that ends now. */
export const quotaWindowMs = 24 * 60 * 60 * 1000;

/** A fire that is so late is not made up for: its agent would have come too late as well. */
export const latestFireMs = 30 * 60 * 1000;

/** Runs a job took out of the quota when it was launched. */
export interface Spent {
  readonly at: Instant;
  readonly runs: number;
}

export type LaunchRefusal =
  | { readonly kind: "already_running"; readonly jobId: string }
  | { readonly kind: "cooldown"; readonly waitMs: number }
  /** `waitMs` is null when waiting does not help. */
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
  /** The plan's runs in 24 hours. */
  readonly limit: number;
  /** What the account's jobs of the window took, oldest first. */
  readonly spent: readonly Spent[];
}

/** Why a target cannot be launched now, the first reason of several; null when it can. */
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
