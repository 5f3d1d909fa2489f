import { z } from "zod";
import { addition } from "../addition.ts";
import { ComparisonCaveat, comparisonCaveats, type UnsteadyTests } from "./caveats.ts";
import { ReportDetail } from "./report.ts";
import { measuredBy } from "./run-conditions.ts";

const Side = z.enum(["base", "other"]);

/** In display order. */
export const MetricKey = z.enum([
  "total",
  "single_core",
  "gameplay",
  "hardware",
  "memory",
  "disk",
  "multi_core",
  "exploration",
  "entities",
  "mechanics",
]);
export type MetricKey = z.infer<typeof MetricKey>;

/** One score of both runs. `gap` is relative to base: positive when other scored higher. */
const ComparisonMetric = z.object({
  key: MetricKey,
  higher_is_better: z.boolean(),
  base: z.number().nullable(),
  other: z.number().nullable(),
  leader: Side.nullable(),
  outcome: z.enum(["leader", "tie", "missing", "not_comparable"]),
  gap: z.object({ absolute: z.number(), percent: z.number().nullable() }).nullable(),
});
type ComparisonMetric = z.infer<typeof ComparisonMetric>;

/** The count `undecided` is the number of rows without a verdict. */
const ComparisonSummary = z.object({
  outcome: z.enum(["leader", "tie", "undecided", "not_comparable"]),
  leader: Side.nullable(),
  decided_by: z.string().nullable(),
  base_leads: z.int(),
  other_leads: z.int(),
  ties: z.int(),
  undecided: z.int(),
});

/** `blocked_by` says why no row names a winner; null if the runs are comparable. */
export const ReportComparison = z.object({
  comparable: z.boolean(),
  blocked_by: addition(z.enum(["benchmark_mode", "algorithm_version", "measured_by"]).nullable(), [
    "measured_by",
  ]),
  tie_band: z.object({ absolute: z.number(), relative_percent: z.number() }),
  metrics: z.array(ComparisonMetric),
  summary: ComparisonSummary,
  caveats: z.array(ComparisonCaveat),
  reports: z.object({ base: ReportDetail, other: ReportDetail }),
});
export type ReportComparison = z.infer<typeof ReportComparison>;

/** Score points, and percent of the larger of two values. */
export const tieBand = { absolute: 1, relative_percent: 5 } as const;

const twoDecimals = (value: number): number => Math.round(value * 100) / 100 + 0;

function blocker(base: ReportDetail, other: ReportDetail): ReportComparison["blocked_by"] {
  if (measuredBy(base) !== measuredBy(other)) return "measured_by";
  if (base.benchmark_mode !== other.benchmark_mode) return "benchmark_mode";
  return base.algorithm_version === other.algorithm_version ? null : "algorithm_version";
}

/** The smallest difference with which one of two values leads, score points. */
export const leadFrom = (a: number, b: number): number =>
  Math.max(tieBand.absolute, (Math.max(a, b) * tieBand.relative_percent) / 100);

/** The range around `base` in which a value ties with it, percent of `base`, which is above 0. */
export function tieEdges(
  base: number,
  band: { readonly absolute: number; readonly relative_percent: number } = tieBand,
): { readonly below: number; readonly above: number } {
  const least = (band.absolute / base) * 100;
  const relative = band.relative_percent;
  // A value above the base is the larger of the two, and the band is a share of the larger one.
  return { below: -Math.max(least, relative), above: Math.max(least, (100 * relative) / (100 - relative)) };
}

function verdict(base: number, other: number): Pick<ComparisonMetric, "leader" | "outcome"> {
  if (Math.abs(base - other) < leadFrom(base, other)) return { leader: null, outcome: "tie" };
  return { leader: base > other ? "base" : "other", outcome: "leader" };
}

function compareMetric(
  key: MetricKey,
  base: number | null,
  other: number | null,
  comparable: boolean,
): ComparisonMetric {
  const row = { key, higher_is_better: true, base, other };
  if (!comparable) return { ...row, leader: null, outcome: "not_comparable", gap: null };
  // A score of 0 stands for an absent test, so it counts as missing like null.
  if (!base || !other) return { ...row, leader: null, outcome: "missing", gap: null };
  const difference = other - base;
  const gap = { absolute: twoDecimals(difference), percent: twoDecimals((difference / base) * 100) };
  return { ...row, ...verdict(base, other), gap };
}

/** Only the total decides the outcome. */
function summarize(metrics: readonly ComparisonMetric[]): ReportComparison["summary"] {
  const total = metrics.find(({ key }) => key === "total");
  const outcome = total === undefined || total.outcome === "missing" ? "undecided" : total.outcome;
  const decided = outcome === "leader" || outcome === "tie";
  const leads = (side: z.infer<typeof Side>) => metrics.filter(({ leader }) => leader === side).length;
  return {
    outcome,
    leader: total?.leader ?? null,
    decided_by: decided ? "total" : null,
    base_leads: leads("base"),
    other_leads: leads("other"),
    ties: metrics.filter((row) => row.outcome === "tie").length,
    undecided: metrics.filter((row) => row.outcome === "missing" || row.outcome === "not_comparable").length,
  };
}

/** With different ways of measuring, modes or scoring versions, every row is `not_comparable` but still shows its values. */
export function reportComparisonOf(
  base: ReportDetail,
  other: ReportDetail,
  unsteady: UnsteadyTests = { base: null, other: null },
): ReportComparison {
  const blockedBy = blocker(base, other);
  const comparable = blockedBy === null;
  const left = { ...base.scores, ...base.sub_scores };
  const right = { ...other.scores, ...other.sub_scores };
  const metrics = MetricKey.options.map((key) => compareMetric(key, left[key], right[key], comparable));
  return {
    comparable,
    blocked_by: blockedBy,
    tie_band: tieBand,
    metrics,
    summary: summarize(metrics),
    caveats: comparisonCaveats(base, other, unsteady),
    reports: { base, other },
  };
}
