import type { ReportPayload } from "../payload.ts";
import { retestOf, type RetestId } from "./retest.ts";
import type { Recommendation, SettingValue, Trigger } from "./recommendation.ts";
import type { Family } from "./family.ts";

/** The lowest score of the badge `iron`; a test below it is weak. */
export const weakScore = 600;

/** Null if a measurement or setting it needs is unknown. */
export type Truth = boolean | null;

/** False if one part is false, even if others are unknown. */
export const allOf = (...parts: readonly Truth[]): Truth =>
  parts.includes(false) ? false : parts.includes(null) ? null : true;

export interface Measurement {
  readonly metric: string;
  readonly value: number | null;
  readonly unit: string;
  /** For computed values; measured ones are shown as they are. */
  readonly decimals?: number;
}

/** `trigger` is null if nothing was measured. */
export interface Condition {
  readonly holds: Truth;
  readonly trigger: Trigger | null;
}

const comparisons: Record<Trigger["comparator"], (value: number, threshold: number) => boolean> = {
  above: (value, threshold) => value > threshold,
  below: (value, threshold) => value < threshold,
  at_least: (value, threshold) => value >= threshold,
  at_most: (value, threshold) => value <= threshold,
  equals: (value, threshold) => value === threshold,
};

/** Not rounded if that would put the value on the other side of the threshold. */
function rounded(value: number, decimals: number, holds: (value: number) => boolean): number {
  const unit = 10 ** decimals;
  const rounded = Math.round(value * unit) / unit;
  return holds(rounded) === holds(value) ? rounded : value;
}

const compared =
  (comparator: Trigger["comparator"]) =>
  ({ metric, value, unit, decimals }: Measurement, threshold: number): Condition => {
    if (value === null) return { holds: null, trigger: null };
    const holds = (candidate: number) => comparisons[comparator](candidate, threshold);
    const shown = decimals === undefined ? value : rounded(value, decimals, holds);
    return { holds: holds(value), trigger: { metric, value: shown, unit, comparator, threshold } };
  };

export const above = compared("above");
export const below = compared("below");
export const atLeast = compared("at_least");
export const atMost = compared("at_most");

/** The first condition that holds; unknown if none holds and one is unknown. */
export function anyOf(...conditions: readonly Condition[]): Condition {
  const held = conditions.find(({ holds }) => holds === true);
  if (held) return held;
  return { holds: conditions.some(({ holds }) => holds === null) ? null : false, trigger: null };
}

/** `quiet`: nothing to change; `unknown`: an input it needs is unknown. */
export type Evaluation = Pick<Recommendation, "current" | "suggested" | "trigger"> | "quiet" | "unknown";

interface Judgement {
  readonly current: SettingValue;
  /** Null when it cannot be worked out. */
  readonly suggested: SettingValue;
  /** Whether the setting is already as good as the suggestion; null: unknown. */
  readonly settled?: Truth;
  readonly because: Condition;
  readonly needs?: readonly Truth[];
}

/** The setting is checked first: an unknown setting gives no advice, whatever was measured. */
export function judge({ current, suggested, settled = false, because, needs = [] }: Judgement): Evaluation {
  if (settled !== false) return settled ? "quiet" : "unknown";
  const holds = allOf(because.holds, ...needs);
  if (holds === false) return "quiet";
  return holds === null || suggested === null || because.trigger === null
    ? "unknown"
    : { current, suggested, trigger: because.trigger };
}

/** The constant parts of a recommendation, and `evaluate` for the rest. */
export interface TuningRule extends Omit<Recommendation, "current" | "suggested" | "trigger"> {
  /** Only this software knows the setting; null: every software does. */
  readonly knownTo: Family | null;
  /** The setting has no effect on this software. */
  readonly uselessOn: Family | null;
  readonly evaluate: (payload: ReportPayload) => Evaluation;
}

type Row = Omit<TuningRule, "retest" | "knownTo" | "uselessOn"> & {
  readonly retest: RetestId;
  readonly knownTo?: Family;
  readonly uselessOn?: Family;
};

export const rule = ({ retest, knownTo, uselessOn, ...row }: Row): TuningRule => ({
  ...row,
  retest: retestOf(retest),
  knownTo: knownTo ?? null,
  uselessOn: uselessOn ?? null,
});

export const host = (key: string): Recommendation["setting"] => ({ kind: "host", file: null, key });
export const jvmFlag = (key: string): Recommendation["setting"] => ({ kind: "jvm_flag", file: null, key });
