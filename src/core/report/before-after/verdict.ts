import { z } from "zod";
import { Id } from "../../id.ts";
import { MetricKey } from "../compare.ts";
import { ShownContextValue, type ContextField } from "../context.ts";
import { VerdictCaveat, verdictCaveats } from "./caveats.ts";
import { verdictRefusal, refusalsBefore, VerdictRefusal } from "./refusals.ts";
import type { Run } from "./run.ts";
import { differences } from "./sides.ts";
import { judgeScores, summaryOf, type Effect, type Judgement } from "./statistic.ts";
import { testsBehind, type MetricTarget } from "./targets.ts";
import { beforeAfterRuleVersion, beforeAfterThresholds } from "./thresholds.ts";

const Verdict = z.enum(["improved", "degraded", "no_material_change", "inconclusive"]);

/** Only measured scores count; the spread is percent of the largest. */
export const SideSummary = z.object({
  report_ids: z.array(Id),
  count: z.int(),
  median: z.number().nullable(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  spread_percent: z.number().nullable(),
});

/** Percentages are of the value before, positive when the runs after score higher. */
const EffectAnswer = z.object({
  shift_percent: z.number(),
  interval_percent: z.array(z.number()),
  confidence_percent: z.number(),
  p_two_sided: z.number(),
  pairs_total: z.int(),
  pairs_after_higher: z.int(),
});

export const BeforeAfterVerdict = z.object({
  rule_version: z.string(),
  verdict: Verdict,
  conclusive: z.boolean(),
  refusals: z.array(VerdictRefusal),
  target: z.object({ value: z.string(), kind: z.enum(["recommendation", "metric"]), metric: MetricKey }),
  declared: z.array(z.string()),
  before: SideSummary,
  after: SideSummary,
  effect: EffectAnswer.nullable(),
  thresholds: z.object({
    runs_per_side: z.int(),
    tie_band_relative_percent: z.number(),
    tie_band_absolute: z.number(),
    min_gap_percent: z.number(),
    max_spread_percent: z.number(),
  }),
  other_metrics: z.array(
    z.object({ key: MetricKey, verdict: Verdict, shift_percent: z.number().nullable() }),
  ),
  differences: z.array(
    z.object({
      field: z.string(),
      before: ShownContextValue,
      after: ShownContextValue,
      declared: z.boolean(),
      blocking: z.boolean(),
    }),
  ),
  caveats: z.array(VerdictCaveat),
});
export type BeforeAfterVerdict = z.infer<typeof BeforeAfterVerdict>;

const oneDecimal = (value: number): number => Math.round(value * 10) / 10 + 0;
const percentChange = (ratio: number): number => oneDecimal((ratio - 1) * 100);

/** Oldest first: the order in which the ids were sent means nothing. */
const byTime = (one: Run, other: Run): number =>
  one.finishedAt - other.finishedAt || (one.id < other.id ? -1 : 1);

function sideAnswer(runs: readonly Run[], metric: MetricKey): z.infer<typeof SideSummary> {
  const { median, min, max, spread } = summaryOf(runs.map(({ scores }) => scores[metric]));
  return {
    report_ids: runs.map(({ id }) => id),
    count: runs.length,
    median,
    min,
    max,
    spread_percent: spread === null ? null : oneDecimal(spread * 100),
  };
}

const effectAnswer = (effect: Effect): z.infer<typeof EffectAnswer> => ({
  shift_percent: percentChange(effect.shift),
  interval_percent: effect.interval.map(percentChange),
  confidence_percent: oneDecimal(effect.confidence * 100),
  p_two_sided: Math.round(effect.pTwoSided * 10_000) / 10_000,
  pairs_total: effect.pairs,
  pairs_after_higher: effect.pairsHigher,
});

/** Null if a run lacks the score, or one of its tests is unreliable. */
function judgeMetric(before: readonly Run[], after: readonly Run[], metric: MetricKey): Judgement | null {
  const runs = [...before, ...after];
  const isTrusted = runs.every(
    ({ scores, unreliableTests }) =>
      (scores[metric] ?? 0) > 0 && !testsBehind[metric].some((test) => unreliableTests.includes(test)),
  );
  const scoresOf = (side: readonly Run[]): number[] => side.map(({ scores }) => scores[metric] ?? 0);
  return isTrusted ? judgeScores(scoresOf(before), scoresOf(after)) : null;
}

function judgeOthers(before: readonly Run[], after: readonly Run[], { metric }: MetricTarget) {
  return MetricKey.options
    .filter((key) => key !== metric)
    .map((key) => {
      const judgement = judgeMetric(before, after, key);
      return {
        key,
        verdict: judgement?.decision ?? ("inconclusive" as const),
        shift_percent: judgement && percentChange(judgement.effect.shift),
      };
    });
}

/** Refuses before the statistic if the runs are too few, or differ in more than target and `declared`. */
export function beforeAfterVerdict(
  runsBefore: readonly Run[],
  runsAfter: readonly Run[],
  target: MetricTarget,
  declared: readonly ContextField[] = [],
): BeforeAfterVerdict {
  const [before, after] = [runsBefore.toSorted(byTime), runsAfter.toSorted(byTime)];
  const found = differences(before, after, new Set<string>([...declared, ...target.implies]));
  const early = refusalsBefore(before, after, target, found);
  const judgement = early.length === 0 ? judgeMetric(before, after, target.metric) : null;
  const others = judgement ? judgeOthers(before, after, target) : [];
  const decision = judgement?.decision ?? "inconclusive";
  const judged = { before, after, target, declared, differences: found, decision, others };
  return {
    rule_version: beforeAfterRuleVersion,
    verdict: decision,
    conclusive: decision !== "inconclusive",
    refusals: [...early, ...(judgement?.refusals ?? []).map((code) => verdictRefusal(code))],
    target: { value: target.value, kind: target.kind, metric: target.metric },
    declared: [...new Set(declared)],
    before: sideAnswer(before, target.metric),
    after: sideAnswer(after, target.metric),
    effect: judgement && effectAnswer(judgement.effect),
    thresholds: beforeAfterThresholds,
    other_metrics: others,
    differences: found,
    caveats: verdictCaveats({ ...judged, ranStatistic: judgement !== null }),
  };
}
