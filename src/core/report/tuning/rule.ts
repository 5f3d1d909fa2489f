import type { ReportPayload } from "../payload.ts";
import { retestOf, type RetestId } from "./retest.ts";
import type { Recommendation, SettingValue, Trigger } from "./recommendation.ts";
import type { Family } from "./family.ts";

/** The bottom of iron: a test that scores less is weak. */
export const weakScore = 600;

/** True, false, or null where a measurement or setting it needs is not known. */
export type Truth = boolean | null;

/** False as soon as one part is, whatever the unknown ones would have said. */
export const allOf = (...parts: readonly Truth[]): Truth =>
  parts.includes(false) ? false : parts.includes(null) ? null : true;

/** A number of the run, with the name and unit it is shown with. */
export interface Measurement {
  readonly metric: string;
  readonly value: number | null;
  readonly unit: string;
  /** For computed values; measured ones are shown as they are. */
  readonly decimals?: number;
}

/** A comparison of a measurement with a threshold; `trigger` tells it, null when nothing was measured. */
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

/** A value as it is written out: not rounded where that would put it across the threshold. */
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

/** The first of several conditions that holds; unknown when none does and one might. */
export function anyOf(...conditions: readonly Condition[]): Condition {
  const held = conditions.find(({ holds }) => holds === true);
  if (held) return held;
  return { holds: conditions.some(({ holds }) => holds === null) ? null : false, trigger: null };
}

/** What a rule says of a run: a change, nothing, or that an input it needs is not known. */
export type Evaluation = Pick<Recommendation, "current" | "suggested" | "trigger"> | "quiet" | "unknown";

interface Judgement {
  readonly current: SettingValue;
  /** Null when it cannot be worked out. */
  readonly suggested: SettingValue;
  /** Whether the setting is as good as the suggestion already; null when it is not known. */
  readonly settled?: Truth;
  readonly because: Condition;
  /** What else has to hold. */
  readonly needs?: readonly Truth[];
}

/** What is set decides first: unknown settings are never judged, whatever was measured. */
export function judge({ current, suggested, settled = false, because, needs = [] }: Judgement): Evaluation {
  if (settled !== false) return settled ? "quiet" : "unknown";
  const holds = allOf(because.holds, ...needs);
  if (holds === false) return "quiet";
  return holds === null || suggested === null || because.trigger === null
    ? "unknown"
    : { current, suggested, trigger: because.trigger };
}

/** A piece of advice and when it is given; what is constant stands in the row, the rest in `evaluate`. */
export interface TuningRule extends Omit<Recommendation, "current" | "suggested" | "trigger"> {
  /** The server software that knows the setting; null: every one does. */
  readonly knownTo: Family | null;
  /** The server software on which the setting has no effect. */
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
