import { z } from "zod";
import { dayMs } from "../time.ts";

export const planNames = ["free", "pro", "hosting", "enterprise"] as const;
export const PlanName = z.enum(planNames);
export type PlanName = z.infer<typeof PlanName>;

export const largestLimit = 1_000_000_000;

const limit = z.int().min(0).max(largestLimit);

/** Counts, unless the name says days. `daily_calls` of `free` is also the limit of anonymous callers. */
export const PlanLimits = z.object({
  daily_calls: limit,
  hourly_calls: limit,
  tokens: limit,
  runs_per_day: limit,
  monitored_servers: limit,
  retention_days: limit,
  profiles: limit,
  profile_days: limit,
  memory_reports: limit,
  alert_rules: limit,
  event_rules: limit,
});
export type PlanLimits = z.infer<typeof PlanLimits>;
export const limitNames = Object.keys(PlanLimits.shape) as (keyof PlanLimits)[];
export type Plans = Readonly<Record<PlanName, PlanLimits>>;

const plan = (
  daily_calls: number,
  tokens: number,
  runs_per_day: number,
  monitored_servers: number,
  retention_days: number,
  [profiles, profile_days, memory_reports]: readonly [number, number, number],
  [alert_rules, event_rules]: readonly [number, number],
): PlanLimits => ({
  daily_calls,
  hourly_calls: 600,
  tokens,
  runs_per_day,
  monitored_servers,
  retention_days,
  profiles,
  profile_days,
  memory_reports,
  alert_rules,
  event_rules,
});

/** The published limits: calls, tokens and runs are the specification's, the others ours. */
export const defaultPlans: Plans = {
  free: plan(10, 1, 0, 0, 0, [2, 7, 2], [0, 0]),
  pro: plan(50, 5, 10, 3, 30, [20, 30, 10], [10, 5]),
  hosting: plan(150, 10, 30, 25, 90, [50, 90, 25], [20, 10]),
  enterprise: plan(500, 20, 100, 100, 365, [200, 365, 50], [50, 25]),
};

/** Data that only the larger plan shows is kept this long after the plan lapses, ms. */
export const lapseGraceMs = 30 * dayMs;

export const largerPlan = (one: PlanName, other: PlanName | null): PlanName =>
  other !== null && planNames.indexOf(other) > planNames.indexOf(one) ? other : one;

/** A call to a feature that the plan lacks is `plan_required`. */
export type PlanFeature = "monitoring" | "auto-bench";

export const planIncludes = (limits: PlanLimits, feature: PlanFeature): boolean =>
  feature === "monitoring" ? limits.monitored_servers > 0 : limits.runs_per_day > 0;

/** The operator's file: limits that override the defaults. */
export const PlanOverrides = z.strictObject(
  Object.fromEntries(planNames.map((name) => [name, PlanLimits.partial().strict().optional()])) as Record<
    PlanName,
    z.ZodOptional<z.ZodObject<{ [K in keyof PlanLimits]: z.ZodOptional<typeof limit> }>>
  >,
);

export function withOverrides(overrides: z.infer<typeof PlanOverrides>): Plans {
  const merged = { ...defaultPlans };
  for (const name of planNames) merged[name] = { ...merged[name], ...dropUndefined(overrides[name] ?? {}) };
  return merged;
}

const dropUndefined = (limits: { [K in keyof PlanLimits]?: number | undefined }): Partial<PlanLimits> =>
  Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
