import { z } from "zod";
import { dayMs, minuteMs } from "../../time.ts";
import { MetricKey } from "../compare.ts";
import type { ContextField } from "../context.ts";
import type { Run } from "./run.ts";
import { isKnown, type Difference } from "./sides.ts";
import type { BeforeAfterDecision } from "./statistic.ts";
import type { MetricTarget } from "./targets.ts";
import { backToBackMs, beforeAfterThresholds, longGapMs, sideSpanMs, smallSampleRuns } from "./thresholds.ts";

const CaveatCode = z.enum([
  "single_change_assumed",
  "small_sample",
  "declared_changes_not_separable",
  "build_differs",
  "long_gap",
  "side_spans_days",
  "back_to_back_runs",
  "server_unknown",
  "other_metric_degraded",
  "other_metric_improved",
  "unchanged_needs_more_runs",
]);

/** A caveat changes no verdict; members that do not belong to its code are null. */
export const VerdictCaveat = z.object({
  code: CaveatCode,
  key: MetricKey.nullable(),
  side: z.enum(["before", "after"]).nullable(),
  fields: z.array(z.string()).nullable(),
  value: z.number().nullable(),
  unit: z.enum(["runs", "days", "minutes"]).nullable(),
});
export type VerdictCaveat = z.infer<typeof VerdictCaveat>;

const caveat = (
  code: VerdictCaveat["code"],
  { key = null, side = null, fields = null, value = null, unit = null }: Partial<VerdictCaveat> = {},
): VerdictCaveat => ({ code, key, side, fields, value, unit });

export interface Judged {
  readonly before: readonly Run[];
  readonly after: readonly Run[];
  readonly target: MetricTarget;
  readonly declared: readonly ContextField[];
  readonly differences: readonly Difference[];
  /** False if the runs were refused before the statistic. */
  readonly ranStatistic: boolean;
  readonly decision: BeforeAfterDecision;
  readonly others: readonly { readonly key: MetricKey; readonly verdict: BeforeAfterDecision }[];
}

const oneDecimal = (value: number): number => Math.round(value * 10) / 10;
const inDays = (ms: number): number => oneDecimal(ms / dayMs);
const inMinutes = (ms: number): number => oneDecimal(ms / minuteMs);

function ofSide(side: "before" | "after", runs: readonly Run[]): VerdictCaveat[] {
  const times = runs.map(({ finishedAt }) => finishedAt).toSorted((a, b) => a - b);
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  const nearest = Math.min(...times.slice(1).map((time, index) => time - (times[index] ?? 0)));
  return [
    ...(span > sideSpanMs ? [caveat("side_spans_days", { side, value: inDays(span), unit: "days" })] : []),
    ...(nearest < backToBackMs
      ? [caveat("back_to_back_runs", { side, value: inMinutes(nearest), unit: "minutes" })]
      : []),
  ];
}

/** A declared change has an effect of its own, unless both sides have the same known value. */
function inseparable({ before, after, target, declared, differences }: Judged): VerdictCaveat[] {
  const changed = new Set<string>(differences.map(({ field }) => field));
  const fields = [...new Set(declared)].filter(
    (field) => !target.implies.includes(field) && (changed.has(field) || !isKnown(before, after, field)),
  );
  return fields.length > 0 ? [caveat("declared_changes_not_separable", { fields: fields.toSorted() })] : [];
}

/** In a fixed order. */
export function verdictCaveats(judged: Judged): VerdictCaveat[] {
  const { before, after, decision, ranStatistic } = judged;
  const fewest = Math.min(before.length, after.length);
  const gap =
    Math.min(...after.map(({ finishedAt }) => finishedAt)) -
    Math.max(...before.map(({ finishedAt }) => finishedAt));
  const isSmall = fewest >= beforeAfterThresholds.runs_per_side && fewest <= smallSampleRuns;
  const hasMore =
    ranStatistic && decision === "inconclusive" && fewest === beforeAfterThresholds.runs_per_side;
  const others = (verdict: "improved" | "degraded"): VerdictCaveat[] =>
    judged.others
      .filter((other) => other.verdict === verdict)
      .map(({ key }) => caveat(`other_metric_${verdict}`, { key }));
  const sides = [...ofSide("before", before), ...ofSide("after", after)];
  const withCode = (code: VerdictCaveat["code"]): VerdictCaveat[] =>
    sides.filter((found) => found.code === code);
  return [
    caveat("single_change_assumed"),
    ...(isSmall ? [caveat("small_sample", { value: fewest, unit: "runs" })] : []),
    ...inseparable(judged),
    ...(judged.differences.some(({ field }) => field === "server_build") ? [caveat("build_differs")] : []),
    ...(gap > longGapMs ? [caveat("long_gap", { value: inDays(gap), unit: "days" })] : []),
    ...withCode("side_spans_days"),
    ...withCode("back_to_back_runs"),
    ...([...before, ...after].some(({ serverId }) => serverId === null) ? [caveat("server_unknown")] : []),
    ...others("degraded"),
    ...others("improved"),
    ...(hasMore ? [caveat("unchanged_needs_more_runs", { value: 5, unit: "runs" })] : []),
  ];
}
