import type { AlertCondition, AlertMetric, SampleMetric } from "./alert-rule.ts";

interface MetricLimits {
  /** Range of the threshold, both ends included. */
  readonly min: number;
  readonly max: number;
  readonly integer: boolean;
  /** Distance past the threshold at which a value is good again: in the metric's unit, or a share. */
  readonly margin: { readonly of: "unit" | "threshold"; readonly amount: number };
  /** The highest possible value; null if unbounded. The lowest is 0 for all. */
  readonly highest: number | null;
  /** The breaching side and a usual threshold; null if that differs too much between servers. */
  readonly usual: { readonly condition: AlertCondition; readonly threshold: number | null };
}

/** For duration and cooldown. */
export const longestRuleMinutes = 1440;
export const defaultDurationMinutes = 5;
export const defaultCooldownMinutes = 30;

const none = { of: "unit", amount: 0 } as const;
const many = { condition: "above", threshold: null } as const;
const counts = { min: 0, max: 10_000_000, integer: true, margin: none, highest: null, usual: many } as const;

export const metricLimits: Readonly<Record<SampleMetric, MetricLimits>> = {
  tps: {
    min: 0,
    max: 20,
    integer: false,
    margin: { of: "unit", amount: 0.2 },
    highest: 20,
    usual: { condition: "below", threshold: 18 },
  },
  mspt: {
    min: 0,
    max: 60_000,
    integer: false,
    margin: { of: "unit", amount: 1 },
    highest: null,
    // At 20 ticks a second each tick has 50 ms.
    usual: { condition: "above", threshold: 50 },
  },
  player_count: counts,
  entity_count: counts,
  ram_used_mb: {
    min: 0,
    max: 16_777_216,
    integer: false,
    margin: { of: "threshold", amount: 0.01 },
    highest: null,
    usual: many,
  },
  cpu_usage: {
    min: 0,
    max: 100,
    integer: false,
    margin: { of: "unit", amount: 2 },
    highest: 100,
    usual: { condition: "above", threshold: 90 },
  },
  disk_free_mb: {
    min: 0,
    max: 1_073_741_824,
    integer: true,
    margin: { of: "threshold", amount: 0.1 },
    highest: null,
    // One backup of a usual world is smaller.
    usual: { condition: "below", threshold: 5120 },
  },
};

/** Removes binary rounding: 0.1 + 0.2 is 0.3. */
const exact = (value: number): number => Math.round(value * 1e6) / 1e6;

/** The value at which an alert recovers, in the metric's unit; never beyond what the metric can reach. */
export function recoveryLevel(metric: SampleMetric, condition: AlertCondition, threshold: number): number {
  const { margin, highest } = metricLimits[metric];
  const distance = margin.of === "unit" ? margin.amount : margin.amount * threshold;
  if (condition === "above") return Math.max(0, exact(threshold - distance));
  return Math.min(highest ?? Number.POSITIVE_INFINITY, exact(threshold + distance));
}

/** At the threshold itself there is no breach. */
export const isBreach = (condition: AlertCondition, threshold: number, value: number): boolean =>
  condition === "below" ? value < threshold : value > threshold;

export function isGood(
  metric: SampleMetric,
  condition: AlertCondition,
  threshold: number,
  value: number,
): boolean {
  const level = recoveryLevel(metric, condition, threshold);
  return condition === "below" ? value >= level : value <= level;
}

/** The value further on the breaching side. */
export const worse = (a: number, b: number, condition: AlertCondition): number =>
  condition === "below" ? Math.min(a, b) : Math.max(a, b);

export interface RuleDraft {
  readonly metric: AlertMetric;
  readonly condition?: AlertCondition | null | undefined;
  readonly threshold?: number | null | undefined;
}

/** `message` says what the field accepts. */
export interface RuleProblem {
  readonly field: "condition" | "threshold";
  readonly message: string;
}

/**
 * The first problem of a whole rule; null if it is valid. `offline` has neither condition nor threshold,
 * every other metric has both.
 */
export function ruleProblem({ metric, condition, threshold }: RuleDraft): RuleProblem | null {
  if (metric === "offline") {
    const extra =
      (condition ?? null) !== null ? "condition" : (threshold ?? null) !== null ? "threshold" : null;
    if (extra === null) return null;
    return { field: extra, message: `${extra} takes null, or is left out, when metric is offline.` };
  }
  if (condition === undefined || condition === null) {
    return { field: "condition", message: `condition takes below or above when metric is ${metric}.` };
  }
  const { min, max, integer } = metricLimits[metric];
  const fits =
    typeof threshold === "number" &&
    threshold >= min &&
    threshold <= max &&
    (!integer || Number.isInteger(threshold));
  if (fits) return null;
  const number = integer ? "a whole number" : "a number";
  return {
    field: "threshold",
    message: `threshold takes ${number} from ${min} to ${max} when metric is ${metric}.`,
  };
}
